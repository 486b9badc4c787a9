// stylua.cjs [--write] PATH…: formats Lua, or says what is not formatted. The registries' StyLua is a
// WebAssembly library; STYLUA names its folder. The settings are those of stylua.toml in the current folder.
const fs = require("fs");
const path = require("path");
const stylua = require(path.join(process.env.STYLUA, "stylua_lib_node.cjs"));

const convert = {
  column_width: Number,
  indent_type: (v) => stylua.IndentType[v],
  indent_width: Number,
  quote_style: (v) => stylua.QuoteStyle[v],
};
const settings = {};
for (const line of fs.readFileSync("stylua.toml", "utf8").split("\n")) {
  const [, key, value] = line.match(/^(\w+)\s*=\s*"?(\w+)"?$/) ?? [];
  if (!key) continue;
  if (!convert[key]) throw new Error(`stylua.toml: ${key} is not supported here`);
  settings[key] = convert[key](value);
}

// A Config is used up by one call.
const format = (text) =>
  stylua.formatCode(text, Object.assign(stylua.Config.new(), settings), undefined, stylua.OutputVerification.None);

const args = process.argv.slice(2);
const write = args[0] === "--write";
let wrong = 0;
for (const root of write ? args.slice(1) : args) {
  for (const name of fs.readdirSync(root, { recursive: true }).filter((n) => n.endsWith(".lua"))) {
    const file = path.join(root, name);
    const text = fs.readFileSync(file, "utf8");
    const formatted = format(text);
    if (text === formatted) continue;
    if (write) {
      fs.writeFileSync(file, formatted);
      continue;
    }
    wrong++;
    const [a, b] = [text.split("\n"), formatted.split("\n")];
    const at = a.findIndex((line, i) => line !== b[i]);
    console.error(`${file}:${at + 1}: not formatted; make fmt would write:\n${b.slice(at, at + 3).join("\n")}`);
  }
}
process.exit(wrong ? 1 : 0);
