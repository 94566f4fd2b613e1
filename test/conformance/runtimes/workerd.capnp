using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "life", worker = .life),
    # The service runs on this machine, whose addresses are closed to workers otherwise.
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "life")],
);

const life :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "life.mjs", esModule = embed "life.mjs"),
    (name = "@signature-requests/client", esModule = embed "node_modules/@signature-requests/client/dist/index.js"),
  ],
  compatibilityDate = "2026-01-01",
);
