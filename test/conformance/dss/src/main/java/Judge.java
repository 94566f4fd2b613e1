import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.pades.validation.PDFDocumentValidator;
import eu.europa.esig.dss.pdf.IPdfObjFactory;
import eu.europa.esig.dss.pdf.modifications.DefaultPdfDifferencesFinder;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxNativeObjectFactory;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.revocation.crl.ExternalResourcesCRLSource;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Asks EU DSS, with its standard validation policy and without the network, about many PDFs in one JVM.
 * Arguments: a folder with trusted certificates (*.crt) and revocation lists (*.crl), a file that lists the PDFs.
 * The property `time` may be the time to validate at (ISO 8601).
 * One line for each signature: file, indication, sub-indication, format, timestamps, messages; tabs between.
 */
public final class Judge {
  private Judge() {}

  public static void main(String[] arguments) throws Exception {
    CommonCertificateVerifier verifier = verifier(new File(arguments[0]));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Date time = System.getProperty("time") == null ? null : Date.from(Instant.parse(System.getProperty("time")));
    for (String file : Files.readAllLines(Path.of(arguments[1]))) {
      try {
        judge(verifier, file, time, out);
      } catch (Exception | StackOverflowError error) {
        line(out, file, "ERROR", error.getClass().getSimpleName(), "", "", String.valueOf(error.getMessage()));
      }
    }
  }

  private static CommonCertificateVerifier verifier(File trust) throws IOException {
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    for (File file : trust.listFiles((folder, name) -> name.endsWith(".crt"))) {
      trusted.addCertificate(DSSUtils.loadCertificate(file));
    }
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    verifier.setCrlSource(new ExternalResourcesCRLSource(listsOf(trust)));
    return verifier;
  }

  private static InputStream[] listsOf(File trust) throws IOException {
    File[] files = trust.listFiles((folder, name) -> name.endsWith(".crl"));
    InputStream[] lists = new InputStream[files.length];
    for (int i = 0; i < files.length; i++) {
      lists[i] = new FileInputStream(files[i]);
    }
    return lists;
  }

  private static void judge(
      CommonCertificateVerifier verifier, String file, Date time, PrintStream out) {
    PDFDocumentValidator validator = new PDFDocumentValidator(new FileDocument(file));
    validator.setPdfObjFactory(withoutRendering());
    validator.setCertificateVerifier(verifier);
    if (time != null) {
      validator.setValidationTime(time);
    }
    Reports reports = validator.validateDocument();
    SimpleReport report = reports.getSimpleReport();
    List<String> ids = report.getSignatureIdList();
    if (ids.isEmpty()) {
      line(out, file, "NONE", "", "", "", "no signature");
    }
    for (String id : ids) {
      line(
          out,
          file,
          String.valueOf(report.getIndication(id)),
          String.valueOf(report.getSubIndication(id)),
          String.valueOf(report.getSignatureFormat(id)),
          timestamps(report, id),
          messages(report.getAdESValidationErrors(id)) + messages(report.getAdESValidationWarnings(id)));
    }
  }

  /** Every earlier page is compared by pdftoppm elsewhere; here drawing would only cost time. */
  private static IPdfObjFactory withoutRendering() {
    DefaultPdfDifferencesFinder finder = new DefaultPdfDifferencesFinder();
    finder.setMaximalPagesAmountForVisualComparison(0);
    PdfBoxNativeObjectFactory factory = new PdfBoxNativeObjectFactory();
    factory.setPdfDifferencesFinder(finder);
    return factory;
  }

  /** A signature passes whatever its timestamp, so that is asked for on its own. */
  private static String timestamps(SimpleReport report, String id) {
    return report.getSignatureTimestamps(id).stream()
        .map(stamp -> String.valueOf(stamp.getIndication()))
        .collect(Collectors.joining(" "));
  }

  private static String messages(List<Message> messages) {
    return messages.stream().map(Message::getValue).collect(Collectors.joining(" | "));
  }

  private static void line(PrintStream out, String... fields) {
    for (int i = 0; i < fields.length; i++) {
      fields[i] = fields[i].replaceAll("[\\t\\r\\n]+", " ");
    }
    out.println(String.join("\t", fields));
  }
}
