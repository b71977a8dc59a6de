"""Applications made of the code in docs/embed.md, with the frameworks in the packages of Tests/frameworks.txt."""

import json
import pathlib
import re
import subprocess
import sys

from conftest import ROOT

TEXT = (ROOT / "docs/embed.md").read_text()


def snippet(heading, language, index=0):
    """The code below a heading and before the next one."""
    # A `#` in code does not start a heading.
    pieces = re.finditer(r"^```(\w*)\n(.*?)^```$|^#+ ([^\n]+)$", TEXT, re.DOTALL | re.MULTILINE)
    below, found = "", []
    for piece in pieces:
        below = piece[3] or below
        if below == heading and piece[3] is None and piece[1] == language:
            found.append(piece[2])
    return found[index]


def package(name):
    """The directory of a package's files, which Python does not import."""
    return pathlib.Path(sys.prefix, "frameworks", name)


def unpack(source_map, folder):
    """The source files of packages in a source map."""
    content = json.loads(source_map.read_text())
    for source, text in zip(content["sources"], content["sourcesContent"]):
        _, inside, path = source.partition("/node_modules/")
        if inside and path.endswith(".js"):
            write(folder / "node_modules" / path, text)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def bundle(folder, entry, *options):
    made = folder / "made.js"
    command = ["esbuild", str(entry), "--bundle", "--format=esm", "--log-level=warning", f"--outfile={made}", *options]
    subprocess.run(command, check=True, cwd=folder)
    return made.read_text()


class React:
    """`render(channel)` shows the component, as often as it is called; `unmount()` removes it."""

    MAIN = """
    import { StrictMode } from "react";
    import { createRoot } from "react-dom/client";
    import { Toasts } from "./Toasts";

    const root = createRoot(document.querySelector("main"));
    const note = (toast) => shown.push(toast.message);
    window.shown = [];
    // Like pages that pass a new function at each render.
    window.render = (channel, isFirst = false) => root.render(<StrictMode>
      {isFirst && <Toasts key="toasts" channel={channel} onShow={(toast) => note(toast)} />}
      <p key="words">Words</p>
      {isFirst || <Toasts key="toasts" channel={channel} onShow={(toast) => note(toast)} />}
    </StrictMode>);
    window.unmount = () => root.unmount();
    """
    # Stands for react-dom/client in versions without that file.
    CLIENT = """
    const all = window.ReactDOM;
    const inner = all.__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED ?? {};
    exports.createRoot = (container) => {
      inner.usingClientEntryPoint = true;
      try { return all.createRoot(container); } finally { inner.usingClientEntryPoint = false; }
    };
    """

    def __init__(self, version, index):
        self.version, self.index = version, index

    def make(self, folder):
        write(folder / "node_modules/react/index.js", "module.exports = window.React;")
        write(folder / "node_modules/react-dom/client.js", self.CLIENT)
        write(folder / "jsx.js", 'export { createElement, Fragment } from "react";')
        write(folder / "Toasts.jsx", snippet("React", "jsx", self.index))
        main = bundle(
            folder, write(folder / "main.jsx", self.MAIN),
            "--jsx=transform", "--jsx-factory=createElement", "--jsx-fragment=Fragment", "--inject:./jsx.js",
        )
        whole = [(package("dash") / f"deps/{name}@{self.version}.js").read_text() for name in ("react", "react-dom")]
        return {"classic": "\n;".join(whole), "main": main}


class Vue:
    """The same with Vue."""

    MAIN = """
    import { createApp, h, reactive } from "vue";
    import Toasts from "./Toasts.js";

    const state = reactive({ channel: "", isFirst: false });
    window.shown = [];
    const app = createApp(() => {
      const toasts = h(Toasts, { key: "toasts", channel: state.channel, onShow: (toast) => shown.push(toast.message) });
      const words = h("p", { key: "words" }, "Words");
      return h("div", state.isFirst ? [toasts, words] : [words, toasts]);
    });
    window.render = (channel, isFirst = false) => {
      Object.assign(state, { channel, isFirst });
      if (!app._instance) { app.mount("main"); }
    };
    window.unmount = () => app.unmount();
    """

    def make(self, folder):
        maps = package("ipyvue") / "nbextension"
        unpack(maps / "index.js.map", folder)
        unpack(maps / "nodeps-vue-sfc.js.map", folder)
        modules = folder / "node_modules"
        for name in ("vue", *(f"@vue/{each.name}" for each in (modules / "@vue").iterdir())):
            built = "esm-browser" if name == "@vue/compiler-sfc" else "esm-bundler"
            main = f"./dist/{name.removeprefix('@vue/')}.{built}.js"
            write(modules / name / "package.json", json.dumps({"type": "module", "main": main, "module": main}))
        plugin = modules / "@vitejs/plugin-vue"
        write(plugin / "package.json", json.dumps({"type": "module", "main": "./index.js"}))
        write(plugin / "index.js", "export default (options) => options;")
        config = write(folder / "vite.config.mjs", snippet("Vue", "js"))
        component = write(folder / "Toasts.vue", snippet("Vue", "vue"))
        compiler = modules / "@vue/compiler-sfc/dist/compiler-sfc.esm-browser.js"
        command = ["node", ROOT / "Tests/Browser/vue.mjs", compiler, config, component]
        made = subprocess.run(command, check=True, capture_output=True, text=True)
        write(folder / "Toasts.js", made.stdout)
        main = bundle(
            folder, write(folder / "main.js", self.MAIN), "--define:process.env.NODE_ENV=\"development\"",
            "--define:__VUE_OPTIONS_API__=true", "--define:__VUE_PROD_DEVTOOLS__=false",
            "--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false",
        )
        return {"classic": "", "main": main}
