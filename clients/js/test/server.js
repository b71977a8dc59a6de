/** The real server, on a port that stays the same when it starts again. */

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const binary = resolve(root, process.env.TOASTD_BIN ?? ".build/debug/toastd");

/** A port that is free now. */
const freePort = () => new Promise((found) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => found(port));
  });
});

export async function launch() {
  const directory = await mkdtemp(join(tmpdir(), "toastd-js-"));
  const port = await freePort();
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TOASTD_")));
  let child;
  const server = {
    url: `http://127.0.0.1:${port}`,
    async start() {
      const store = `sqlite:${join(directory, "toastd.db")}`;
      const options = ["serve", "--listen", `127.0.0.1:${port}`, "--store", store, "--public", join(root, "public")];
      child = spawn(binary, options, { env: environment, cwd: root, stdio: ["ignore", "ignore", "pipe"] });
      let log = "";
      await new Promise((ready, failed) => {
        child.stderr.on("data", (text) => { log += text; if (log.includes("serving at")) { ready(); } });
        child.on("exit", (code) => failed(new Error(`toastd ended with ${code}:\n${log}`)));
      });
    },
    async end(signal) {
      const over = new Promise((ended) => child.once("exit", ended));
      child.kill(signal);
      await over;
    },
    async remove() {
      if (child.exitCode === null && child.signalCode === null) { await server.end("SIGTERM"); }
      await rm(directory, { recursive: true });
    },
  };
  await server.start();
  return server;
}
