/** VS Code's names for languages where the server's differ. */
const names: Record<string, string> = {
  typescriptreact: 'tsx',
  javascriptreact: 'jsx',
  shellscript: 'bash',
  proto3: 'protobuf',
  terraform: 'hcl',
  scss: 'css',
};

export function serverLanguage(id: string, known: readonly string[]): string | undefined {
  const name = names[id] ?? id;
  if (known.includes(name)) {
    return name;
  }
  // JSX is plain JavaScript to the grammar.
  return name === 'jsx' && known.includes('javascript') ? 'javascript' : undefined;
}
