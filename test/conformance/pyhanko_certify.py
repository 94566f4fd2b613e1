"""Certifies a PDF with pyHanko, as an editor of another make would have done before our seal comes.

Arguments: input, output, PKCS#12 file, its passphrase, the permission (FILL_FORMS or ANNOTATE).
"""

import sys

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers

source, target, pkcs12, passphrase, permission = sys.argv[1:]
signer = signers.SimpleSigner.load_pkcs12(pkcs12, passphrase=passphrase.encode())
with open(source, "rb") as before, open(target, "wb") as after:
    signers.sign_pdf(
        IncrementalPdfFileWriter(before),
        signers.PdfSignatureMetadata(
            field_name="Author",
            certify=True,
            docmdp_permissions=fields.MDPPerm[permission],
            subfilter=fields.SigSeedSubFilter.PADES,
        ),
        signer=signer,
        output=after,
    )
