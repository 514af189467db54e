// A table whose cells are texts, inputs or selects. Quasar's tables make the elements of a cell anew
// whenever anything on the page changes, and so lose what is being typed, and the keyboard's focus.
export default {
  template: `
    <div class="edit-table">
      <table :aria-label="label">
        <thead>
          <tr><th v-for="column in columns" :key="column.name" scope="col">{{ column.label }}</th></tr>
        </thead>
        <tbody>
          <tr v-for="(row, number) in rows" :key="number">
            <td v-for="column in columns" :key="column.name">
              <select v-if="column.options" v-model="row[column.name]"
                :aria-label="called(column, row)" @change="send(number, column, row)">
                <option v-for="option in column.options" :key="option">{{ option }}</option>
              </select>
              <input v-else-if="column.edited" v-model="row[column.name]"
                :aria-label="called(column, row)" @change="send(number, column, row)">
              <template v-else>{{ row[column.name] }}</template>
            </td>
          </tr>
        </tbody>
      </table>
    </div>`,
  props: { label: String, columns: Array, rows: Array },
  emits: ["cell"],
  methods: {
    called(column, row) {
      return `${column.label} of ${row[this.columns[0].name] || "the new row"}`;
    },
    send(number, column, row) {
      this.$emit("cell", { row: number, column: column.name, value: row[column.name] });
    },
  },
};
