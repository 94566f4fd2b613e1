"""Changes a sealed PDF in an incremental update, as a forger or a further signer would.

Arguments: what to do, input, output, then for "sign" a PKCS#12 file and its passphrase, for "fill" a field's name.
stamp: a white box with another price over the first page.  fill: another value for a form field.
sign: an approval signature in a new field.
"""

import sys

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers


def stamp(writer: IncrementalPdfFileWriter) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    helvetica = generic.DictionaryObject(
        {
            pdf_name("/Type"): pdf_name("/Font"),
            pdf_name("/Subtype"): pdf_name("/Type1"),
            pdf_name("/BaseFont"): pdf_name("/Helvetica"),
        }
    )
    resources = generic.DictionaryObject({pdf_name("/Font"): generic.DictionaryObject({pdf_name("/F"): helvetica})})
    appearance = generic.StreamObject(
        {
            pdf_name("/Type"): pdf_name("/XObject"),
            pdf_name("/Subtype"): pdf_name("/Form"),
            pdf_name("/BBox"): generic.ArrayObject(map(generic.NumberObject, (0, 0, 300, 40))),
            pdf_name("/Resources"): resources,
        },
        stream_data=b"1 g 0 0 300 40 re f 0 g BT /F 18 Tf 5 12 Td (Price: EUR 1,000,000) Tj ET",
    )
    normal = generic.DictionaryObject({pdf_name("/N"): writer.add_object(appearance)})
    annotation = generic.DictionaryObject(
        {
            pdf_name("/Type"): pdf_name("/Annot"),
            pdf_name("/Subtype"): pdf_name("/Stamp"),
            pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (50, 740, 350, 780))),
            pdf_name("/F"): generic.NumberObject(4),
            pdf_name("/AP"): normal,
        }
    )
    annotations = page.get("/Annots", generic.ArrayObject())
    annotations.append(writer.add_object(annotation))
    page["/Annots"] = annotations
    writer.update_container(page)


def fill(writer: IncrementalPdfFileWriter, name: str) -> None:
    for reference in writer.root["/AcroForm"]["/Fields"]:
        field = reference.get_object()
        if field.get("/T") == name:
            field["/V"] = generic.TextStringObject("EUR 1,000,000")
            writer.update_container(field)
            return
    raise ValueError(f"no field {name}")


def main() -> None:
    what, source, target, *more = sys.argv[1:]
    with open(source, "rb") as before, open(target, "wb") as after:
        writer = IncrementalPdfFileWriter(before, strict=False)
        if what == "sign":
            pkcs12, passphrase = more
            signers.sign_pdf(
                writer,
                signers.PdfSignatureMetadata(field_name="Next", subfilter=fields.SigSeedSubFilter.PADES),
                signer=signers.SimpleSigner.load_pkcs12(pkcs12, passphrase=passphrase.encode()),
                output=after,
            )
            return
        if what == "stamp":
            stamp(writer)
        else:
            fill(writer, *more)
        writer.write(after)


main()
