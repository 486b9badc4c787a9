// All scenarios, each with a folder and a window of its own: most on one VS Code server, some at a time.
import { after, before, describe, test } from 'node:test';
import { scenarios, start, stop } from './scenario.mjs';
import './push.mjs';
import './apply.mjs';
import './discard.mjs';
import './review.mjs';
import './typing.mjs';
import './stack.mjs';
import './propose.mjs';
import './approval.mjs';
import './missing.mjs';
import './walkthrough.mjs';
import './activation.mjs';
import './api.mjs';
import { large } from './large.mjs';
import { killed } from './killed.mjs';
import { untrusted } from './trust.mjs';

const timeout = 150_000;

before(start, { timeout: 120_000 });
after(stop, { timeout: 30_000 });

describe('in windows side by side', { concurrency: Number(process.env.E2E_WINDOWS ?? 2) }, () => {
  for (const { name, run } of scenarios) {
    for (let n = 0; n < Number(process.env.E2E_REPEAT ?? 1); n++) {
      test(name, { timeout }, run);
    }
  }
});
describe('alone', () => {
  for (const { name, run } of [large, killed, untrusted]) {
    test(name, { timeout }, run);
  }
});
