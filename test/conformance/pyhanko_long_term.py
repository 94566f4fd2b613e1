"""Asks pyHanko about PDFs by the proofs that the files hold alone: every certificate must be proved by them.

Arguments: a folder with trusted certificates (*.crt), a level (B-LT or B-LTA), a file that lists the PDFs.
One line for each signature, tabs between: file, field, valid, modification level, message.
"""

import sys
from pathlib import Path

from asn1crypto import x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.dss import DocumentSecurityStore


def tell(*fields) -> None:
    print("\t".join(" ".join(str(field).split()) for field in fields), flush=True)


def judge(roots, level: str, name: str) -> None:
    with open(name, "rb") as file:
        reader = PdfFileReader(file, strict=False)

        def proofs():
            settings = {"trust_roots": roots, "allow_fetching": False, "revocation_mode": "require"}
            return DocumentSecurityStore.read_dss(reader).as_validation_context(settings)

        stamps = reader.embedded_timestamp_signatures
        for stamp in stamps:
            status = validate_pdf_timestamp(stamp, proofs())
            if not (status.valid and status.intact and status.trusted):
                tell(name, stamp.field_name, False, "", "the document timestamp is not valid")
        for signature in reader.embedded_regular_signatures:
            status = validate_pdf_signature(signature, proofs(), proofs())
            has_stamp = any(stamp.signed_revision > signature.signed_revision for stamp in stamps)
            tell(
                name,
                signature.field_name,
                status.bottom_line and status.timestamp_validity.trusted and (level == "B-LT" or has_stamp),
                status.modification_level.name if status.modification_level else "",
                status.summary(),
            )


def main() -> None:
    roots = [x509.Certificate.load(file.read_bytes()) for file in sorted(Path(sys.argv[1]).glob("*.crt"))]
    for name in Path(sys.argv[3]).read_text().splitlines():
        try:
            judge(roots, sys.argv[2], name)
        except Exception as error:  # a judge must go on to the next file
            tell(name, "", False, "", repr(error))


main()
