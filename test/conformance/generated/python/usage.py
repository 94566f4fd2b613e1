import base64
import os
import time
from pathlib import Path

from signature_requests import AuthenticatedClient
from signature_requests.api.documents import download_document
from signature_requests.api.signature_requests import (
    cancel_signature_request,
    create_signature_request,
    get_signature_request,
)
from signature_requests.models import (
    CreateSignatureRequest,
    DocumentInput,
    Error,
    SignatureRequestStatus,
    SignerInput,
)

client = AuthenticatedClient(base_url=os.environ["SIGNATURES_URL"], token=os.environ["SIGNATURES_API_KEY"])

pdf = base64.b64encode(Path("lease.pdf").read_bytes()).decode()
created = create_signature_request.sync(
    client=client,
    idempotency_key="lease-2026-117-python",
    body=CreateSignatureRequest(
        title="Lease agreement",
        signers=[SignerInput(email="ann@example.com", name="Ann Example")],
        document=DocumentInput(filename="lease.pdf", content_base64=pdf),
    ),
)
if isinstance(created, Error):
    raise SystemExit(f"{created.error}: {created.message}")
print(created.signers[0].sign_url, flush=True)

WAITING = (
    SignatureRequestStatus.PENDING,
    SignatureRequestStatus.SENT,
    SignatureRequestStatus.OPENED,
    SignatureRequestStatus.AWAITING_STAMP,
)
request = get_signature_request.sync(created.id, client=client)
while request.status in WAITING:
    time.sleep(2)
    request = get_signature_request.sync(created.id, client=client)
if request.status != SignatureRequestStatus.SIGNED:
    raise SystemExit(f"It is {request.status}.")

document = download_document.sync(request.id, client=client)
Path("lease-signed.pdf").write_bytes(document.payload.read())

answer = cancel_signature_request.sync_detailed(request.id, client=client)
if isinstance(answer.parsed, Error):
    print(answer.status_code.value, answer.parsed.error, answer.parsed.message, answer.parsed.request_id)
