// Draws media/icon.png from media/icon.svg: the marketplace takes no SVG.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const media = path.join(path.dirname(import.meta.dirname), 'media');
const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
await page.setContent(`<style>body{margin:0}svg{display:block;width:128px}</style>${readFileSync(path.join(media, 'icon.svg'), 'utf8')}`);
await page.screenshot({ path: path.join(media, 'icon.png'), omitBackground: true });
await browser.close();
