"""Asks pyHanko about many PDFs in one process.

Arguments: a folder with trusted certificates (*.crt) and revocation lists (*.crl), a file that lists the PDFs.
One line for each signature, tabs between: file, field, valid, intact, coverage, modification level, timestamp, message.
"""

import sys
from pathlib import Path

from asn1crypto import crl, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext


def load(folder: Path, ending: str, kind):
    return [kind.load(file.read_bytes()) for file in sorted(folder.glob(ending))]


def context(trust: Path) -> ValidationContext:
    return ValidationContext(
        trust_roots=load(trust, "*.crt", x509.Certificate),
        crls=load(trust, "*.crl", crl.CertificateList),
        revocation_mode="soft-fail",
        allow_fetching=False,
    )


def tell(*fields) -> None:
    print("\t".join(" ".join(str(field).split()) for field in fields), flush=True)


def judge(trust: Path, name: str) -> None:
    with open(name, "rb") as file:
        reader = PdfFileReader(file, strict=False)
        signatures = reader.embedded_signatures
        if not signatures:
            tell(name, "", False, False, "", "", False, "no signature")
        for signature in signatures:
            try:
                status = validate_pdf_signature(signature, context(trust), context(trust))
            except Exception as error:  # a judge must go on to the next file
                tell(name, signature.field_name, False, False, "", "", False, repr(error))
                continue
            stamp = status.timestamp_validity
            tell(
                name,
                signature.field_name,
                status.bottom_line,
                status.intact,
                status.coverage.name if status.coverage else "",
                status.modification_level.name if status.modification_level else "",
                bool(stamp and stamp.valid and stamp.trusted),
                "" if status.bottom_line else status.summary(),
            )


def main() -> None:
    trust = Path(sys.argv[1])
    for name in Path(sys.argv[2]).read_text().splitlines():
        try:
            judge(trust, name)
        except Exception as error:
            tell(name, "", False, False, "", "", False, repr(error))


main()
