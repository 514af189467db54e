"""The members of a skops document, read so that no size it claims is believed.

``rw.save`` stores members without compression, so a file never unpacks to more than its own size;
compressed members are refused.
"""

import math
from io import BytesIO
from typing import IO, Any, Literal
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rankwright.persistence.errors import ModelFileError

__all__ = ["Archive"]

MOST_MEMBERS = 250_000
LARGEST_DIRECTORY = 2**24  # of so many members; Python takes ten times as much memory for it
READ_HEADER = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
PLAIN_KINDS = "biufcmMSUV"  # everything but Python objects


class _LimitedReads:
    """A file that is not read further than to the directory of an archive of common size."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.most = LARGEST_DIRECTORY

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, n_bytes: int = -1) -> bytes:
        """Read as the file does."""
        if n_bytes > self.most:
            raise ModelFileError(f"its directory has {n_bytes:,} bytes; {self.most:,} at most")
        return self._file.read(n_bytes)


class Archive:
    """A ZIP file whose members are stored, apart from each other, inside the file."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        limited = _LimitedReads(file)
        try:
            self._zip = ZipFile(limited)
        except (BadZipFile, NotImplementedError, OverflowError) as error:
            raise ModelFileError(f"its document is not a ZIP archive ({error})") from None
        limited.most = size
        members = self._zip.infolist()
        if len(members) > MOST_MEMBERS:
            raise ModelFileError(f"it has {len(members):,} members; {MOST_MEMBERS:,} at most")
        self.sizes = {member.filename: member.file_size for member in members}
        if len(self.sizes) < len(members):
            raise ModelFileError("two of its members have the same name")
        for member in members:
            if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
                raise ModelFileError(f"its member {member.filename!r} is compressed")
        self.n_bytes = sum(self.sizes.values())
        if self.n_bytes > size:
            raise ModelFileError("its members claim to be larger than the file")
        self._unread = set(self.sizes)

    def read(self, name: Any) -> bytes:
        """Return a member; once, so that all that is read is no more than the file."""
        if not isinstance(name, str) or name not in self._unread:
            raise ModelFileError(f"it has no member {name!r}, or uses it twice")
        self._unread.remove(name)
        try:
            content = self._zip.read(name)
        except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
            raise ModelFileError(f"its member {name!r} can't be read ({error})") from None
        if len(content) != self.sizes[name]:
            raise ModelFileError(f"its member {name!r} is cut short")
        return content

    def check_shape(self, shape: tuple[int, ...]) -> None:
        """Refuse axes that the file did not pay for: beside one of no length, any other is free."""
        if math.prod(max(width, 1) for width in shape) > max(self.n_bytes, 1):
            raise ModelFileError(f"one of its arrays has the shape {shape}, larger than the file")

    def array(self, name: Any) -> NDArray[Any]:
        """Return a member in NumPy's format, whose header has to agree with its size."""
        content = self.read(name)
        stream = BytesIO(content)
        try:
            shape, fortran, dtype = READ_HEADER[npy.read_magic(stream)](stream)
        except (ValueError, KeyError, TypeError, OverflowError, SyntaxError, MemoryError) as error:
            raise ModelFileError(f"its array {name!r} has no valid header ({error})") from None
        if dtype.hasobject or dtype.kind not in PLAIN_KINDS:
            raise ModelFileError(f"its array {name!r} holds {dtype}, not plain values")
        count = math.prod(shape)
        n_bytes = len(content) - stream.tell()
        if min(shape, default=0) < 0 or count * dtype.itemsize != n_bytes or count > n_bytes:
            raise ModelFileError(f"its array {name!r} claims the shape {shape} in {n_bytes} bytes")
        self.check_shape(shape)
        order: Literal["C", "F"] = "F" if fortran else "C"
        try:
            if count == 0:
                return np.empty(shape, dtype, order)
            values = np.frombuffer(content, dtype, count, stream.tell())
            # A copy of its own: writeable and aligned.
            return values.reshape(shape, order=order).copy(order="K")
        except (ValueError, TypeError, OverflowError) as error:
            raise ModelFileError(f"its array {name!r} can't be read ({error})") from None
