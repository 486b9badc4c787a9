// A page object over the workbench; its selectors belong to the version that setup-host.sh pins.
import fs from 'node:fs';
import { chromium } from 'playwright-core';
import { until } from './host.mjs';

// Containers give /dev/shm too little for a browser.
const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const menu = '.action-widget:not(.action-list-submenu-panel)';
const pane = '[id="workbench.view.extension.pendingLsp"]';

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: flags });
}

export class Workbench {
  static async open(browser, host, folder, file) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const wb = new Workbench(page, host, folder);
    const payload = file ? { payload: JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${host.port}${folder}/${file}`]]) } : {};
    await page.goto(host.url({ ...(folder.endsWith('.code-workspace') ? { workspace: folder } : { folder }), ...payload }));
    await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 90_000 });
    if (folder.endsWith('.code-workspace')) {
      // Now and then the workspace file is read before the server can; the window then has no folders.
      await until(async () => {
        const folders = page.locator('.explorer-folders-view .monaco-list-row');
        await folders.first().waitFor({ timeout: 10_000 }).catch(() => page.reload());
        return (await folders.count()) > 1;
      }, 'the folders of the workspace', 90_000);
    }
    if (file) {
      await page.waitForSelector('.editor-instance .monaco-editor .view-lines', { timeout: 60_000 });
    }
    return wb;
  }

  constructor(page, host, folder) {
    Object.assign(this, { page, host, folder });
  }

  close() {
    return this.page.context().close();
  }

  // Commands and pickers

  get input() {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** A window that has just opened does not enable all commands yet, and the palette looks once. */
  async palette(title) {
    await until(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('F1');
      await this.input.waitFor({ timeout: 5000 });
      await this.input.fill(`>${title}`);
      await this.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: title }).first().click({ timeout: 5000 });
      return true;
    }, `the command ${title}`, 60_000);
  }

  async quickOpen(name) {
    await this.page.keyboard.press('Control+P');
    await this.input.waitFor();
    await this.input.fill(name);
    await this.pick(name);
  }

  pick(label) {
    return this.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: label }).first().click();
  }

  /** Answers an input box. */
  async answer(text) {
    await this.input.waitFor();
    await this.input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  // The editor

  async goto(line, column = 1) {
    await this.page.keyboard.press('Control+1');
    await this.page.keyboard.press('Control+G');
    await this.answer(`:${line}:${column}`);
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  async text() {
    const lines = await this.page.locator('.editor-instance .view-lines').first().innerText();
    return lines.replaceAll('\u00a0', ' ');
  }

  lens(title) {
    return this.page.locator('.codelens-decoration a', { hasText: title }).first();
  }

  get squiggles() {
    return this.page.locator('.editor-instance .squiggly-info');
  }

  /** Opens the light bulb's menu at the cursor. */
  async actions() {
    const rows = this.page.locator(`${menu} .monaco-list-row.action`);
    // Ctrl+. races with fresh diagnostics ("No code actions available").
    await until(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+.');
      await rows.first().waitFor({ timeout: 3000 });
      return true;
    }, 'the code action menu');
    return rows;
  }

  async accept(title) {
    await (await this.actions()).filter({ hasText: title }).first().click();
    await this.page.locator(menu).waitFor({ state: 'hidden' });
  }

  /** Their numbers, as the status bar has them. */
  problems() {
    return this.page.locator('.statusbar-item[id="status.problems"]').innerText();
  }

  get tabs() {
    return this.page.locator('.tabs-container .tab .label-name');
  }

  // The view

  async showView() {
    await this.page.locator('.activitybar .action-label[aria-label^="Pending Edits"]').dispatchEvent('click');
    await this.page.locator(pane).waitFor();
  }

  get rows() {
    return this.page.locator(`${pane} .monaco-list-row`);
  }

  row(text) {
    return this.rows.filter({ hasText: text }).first();
  }

  async rowButton(text, title) {
    const row = this.row(text);
    await row.waitFor();
    // The buttons show under the mouse, and a refresh of the tree takes them away for a moment.
    await until(async () => {
      await this.page.mouse.move(0, 0);
      await row.hover({ timeout: 3000 });
      await row.locator(`.action-label[aria-label^="${title}"]`).click({ timeout: 3000 });
      return true;
    }, `the button ${title} of ${text}`);
  }

  /** By key: a menu takes no click in its first tenth of a second. */
  async contextMenu(row, title) {
    const item = this.page.locator('.monaco-menu .action-item', { hasText: title });
    await until(async () => {
      if (!(await item.isVisible())) {
        await row.click({ button: 'right', timeout: 3000 });
      }
      await item.hover({ timeout: 3000 });
      await this.page.keyboard.press('Enter');
      await item.waitFor({ state: 'hidden', timeout: 3000 });
      return true;
    }, `${title} in the menu of a row`);
  }

  get badge() {
    return this.page.locator('.activitybar .action-item', { has: this.page.locator('[aria-label^="Pending Edits"]') }).locator('.badge-content');
  }

  get status() {
    return this.page.locator('[id="pending-lsp.pending-lsp.pendingLsp.status"]');
  }

  /** A notification, also when its toast has gone meanwhile. */
  async notification(text, timeout) {
    const item = this.page.locator('.notification-list-item:visible', { hasText: text }).first();
    await until(async () => {
      if (!(await item.isVisible())) {
        await this.page.locator('.statusbar-item[id="status.notifications"] a').click({ timeout: 3000 });
        await item.waitFor({ timeout: 3000 });
      }
      return true;
    }, `a notification of ${text}`, timeout);
    return { item, button: (title) => item.locator('.monaco-button', { hasText: title }) };
  }

  /** All that were shown and not dismissed. */
  async notifications() {
    await this.page.locator('.statusbar-item[id="status.notifications"] a').click({ timeout: 5000 });
    return (await this.page.locator('.notifications-center .notification-list-item').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  }

  get view() {
    return this.page.locator(pane);
  }

  // The disk

  read(name) {
    return fs.readFileSync(`${this.folder}/${name}`, 'utf8');
  }

  async onDisk(name, wanted, timeout) {
    await until(() => this.read(name) === wanted, `${name} on disk`, timeout).catch((error) => {
      throw new Error(`${name} on disk is ${JSON.stringify(this.read(name))}, not ${JSON.stringify(wanted)}`, { cause: error });
    });
  }

  async shot(name) {
    if (process.env.E2E_SHOTS) {
      await this.page.screenshot({ path: `${process.env.E2E_SHOTS}/${name}.png` });
    }
  }
}
