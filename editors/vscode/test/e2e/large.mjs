import assert from 'node:assert/strict';
import { inWindow } from './scenario.mjs';

const files = Object.fromEntries(
  Array.from({ length: 200 }, (_, i) => [`src/file${String(i).padStart(3, '0')}.ts`, Array.from({ length: 5 }, (_, n) => `console.log("${i}.${n}");\n`).join('')]),
);

const name = '1,000 hunks in 200 files: the tree answers at once, and the apply is one step';

/** Not beside other windows: it looks at the time. */
export const large = { name, run: () => inWindow(name, { files, open: 'src/file000.ts' }, unfolded) };

async function unfolded({ wb, agent }) {
  await wb.showView();
  await wb.view.getByText('Nothing is pending.').waitFor();
  const id = await agent.push('console.log($$$A)', 'logger.debug($$$A)', '-l', 'ts');
  await wb.row('1000 replacements in 200 files').waitFor();
  const began = Date.now();
  await wb.row('1000 replacements in 200 files').click();
  await wb.row('file003.ts').waitFor();
  await wb.row('file003.ts').click();
  await wb.row('console.log("3.4")').waitFor();
  const took = Date.now() - began;
  console.log(`unfolded in ${took} ms`);
  assert.ok(took < 5000, `unfolding took ${took} ms`);
  await wb.palette('Pending Edits: Apply Top');
  await wb.onDisk('src/file199.ts', files['src/file199.ts'].replaceAll('console.log', 'logger.debug'), 60_000);
  assert.match((await agent.verdict(id)).out, /^applied by/);
}
