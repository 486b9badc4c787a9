// All scenarios, on one VS Code server and one browser; each gets a folder and a window of its own.
import { after, before } from 'node:test';
import { start, stop } from './scenario.mjs';
import './push.mjs';
import './apply.mjs';
import './discard.mjs';
import './review.mjs';
import './typing.mjs';
import './stack.mjs';
import './propose.mjs';
import './server.mjs';
import './large.mjs';
import './trust.mjs';
import './api.mjs';

before(start, { timeout: 120_000 });
after(stop, { timeout: 30_000 });
