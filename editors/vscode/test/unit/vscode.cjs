// The little of VS Code that code under unit test touches; a host without the newer APIs, too.
class MarkdownString {
  value = '';
  appendText(text) {
    this.value += text;
    return this;
  }
}

class CancellationTokenSource {
  token = {};
}

module.exports = {
  CancellationTokenSource,
  MarkdownString,
  l10n: { t: (text, ...parts) => text.replaceAll(/\{(\d)\}/g, (_, n) => String(parts[n])) },
};
