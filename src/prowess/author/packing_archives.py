"""Archives that are the same bytes for the same files: zip and tar.gz.

Names sorted, times fixed, modes either 644 or 755, no user, no group, no file name or time in the gzip
header. Compressed by the zlib of this Python: another build of zlib may give other bytes for the same
content, so what is inside is the same even where an archive's digest is not.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that zip can say
TAR_TIME = 315_532_800  # the same moment in seconds
LEVEL = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedFile:
    """One file of a package: its bytes, and whether it is to be executed."""

    content: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        """The mode that it gets."""
        return 0o755 if self.executable else 0o644


def zip_of(files: Mapping[str, PackedFile]) -> bytes:
    """A zip archive of `files`, by their paths."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, date_time=ZIP_TIME)
            info.create_system = 3  # modes as on Unix, also where it is made on Windows
            info.external_attr = (0o100000 | files[path].mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, files[path].content, compresslevel=LEVEL)
    return whole.getvalue()


def files_of_zip(content: bytes) -> dict[str, PackedFile]:
    """What `zip_of` put in. Raises BadZipFile for bytes that are no archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            each.filename: PackedFile(
                content=archive.read(each), executable=bool(each.external_attr >> 16 & 0o100)
            )
            for each in archive.infolist()
        }


def tar_gz_of(files: Mapping[str, PackedFile]) -> bytes:
    """A gzipped tar archive of `files`, by their paths."""
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(files):
            info = tarfile.TarInfo(path)
            info.size, info.mode, info.mtime = len(files[path].content), files[path].mode, TAR_TIME
            archive.addfile(info, io.BytesIO(files[path].content))
    whole = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=whole, mode="wb", compresslevel=LEVEL, mtime=0) as compressed:
        compressed.write(inner.getvalue())
    return whole.getvalue()
