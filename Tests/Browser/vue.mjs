// Makes a module of a single-file component, with the options of a Vite configuration:
// node vue.mjs COMPILER CONFIGURATION COMPONENT

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [compiler, configuration, component] = process.argv.slice(2);
const { compileScript, parse } = await import(pathToFileURL(compiler));
const { plugins: [options] } = (await import(pathToFileURL(configuration))).default;
const { descriptor, errors } = parse(readFileSync(component, "utf8"), { filename: component });
if (errors.length) { throw errors[0]; }
const { content } = compileScript(descriptor, { id: "toasts", inlineTemplate: true, templateOptions: options.template });
process.stdout.write(content);
