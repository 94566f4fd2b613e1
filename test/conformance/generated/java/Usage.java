import com.example.signatures.ApiClient;
import com.example.signatures.ApiException;
import com.example.signatures.api.DocumentsApi;
import com.example.signatures.api.SignatureRequestsApi;
import com.example.signatures.model.CancelSignatureRequest;
import com.example.signatures.model.CreateSignatureRequest;
import com.example.signatures.model.DocumentInput;
import com.example.signatures.model.Error;
import com.example.signatures.model.SignatureRequestStatus;
import com.example.signatures.model.SignerInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.Set;

public class Usage {
  private static final Set<SignatureRequestStatus> WAITING =
      Set.of(
          SignatureRequestStatus.PENDING,
          SignatureRequestStatus.SENT,
          SignatureRequestStatus.OPENED,
          SignatureRequestStatus.AWAITING_STAMP);

  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("SIGNATURES_URL"));
    var key = System.getenv("SIGNATURES_API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    var requests = new SignatureRequestsApi(client);
    var documents = new DocumentsApi(client);

    // Create a request.
    var pdf = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of("lease.pdf")));
    var created = requests.createSignatureRequest(
        new CreateSignatureRequest()
            .title("Lease agreement")
            .addSignersItem(new SignerInput().email("ann@example.com").name("Ann Example"))
            .document(new DocumentInput().filename("lease.pdf").contentBase64(pdf)),
        "lease-2026-117-java");
    System.out.println(created.getSigners().get(0).getSignUrl());

    // Wait until it is sealed.
    var request = requests.getSignatureRequest(created.getId());
    while (WAITING.contains(request.getStatus())) {
      Thread.sleep(2_000);
      request = requests.getSignatureRequest(created.getId());
    }
    if (request.getStatus() != SignatureRequestStatus.SIGNED)
      throw new IllegalStateException("It is " + request.getStatus() + ".");

    // Download the sealed PDF.
    var document = documents.downloadDocument(request.getId());
    Files.move(document.toPath(), Path.of("lease-signed.pdf"), StandardCopyOption.REPLACE_EXISTING);

    // Handle an error.
    try {
      requests.cancelSignatureRequest(request.getId(), new CancelSignatureRequest());
    } catch (ApiException refused) {
      var error = client.getObjectMapper().readValue(refused.getResponseBody(), Error.class);
      System.out.printf(
          "%d %s %s %s%n", refused.getCode(), error.getError(), error.getMessage(), error.getRequestId());
    }
  }
}
