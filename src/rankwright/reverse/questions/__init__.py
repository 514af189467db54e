"""What a fitted formula is asked: ranges, suspects, chance, new products, words."""
