// Puts the page template together: one HTML file with styles, libraries, chart templates and scripts in it, and
// the content security policy that lets just these scripts run. benchctl fills in title and data.
//
//   node assemble.mjs NODE_MODULES OUTPUT
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2);
const read = (...path) => readFileSync(join(...path), 'utf8');

function fail(text) {
  console.error(`assemble.mjs: ${text}`);
  process.exit(1);
}

// A library's own terms travel with it.
function licensed(name, code) {
  const { version } = JSON.parse(read(modules, name, 'package.json'));
  const terms = read(modules, name, 'LICENSE').replaceAll('*/', '* /');
  return `/* ${name} ${version}\n\n${terms}*/\n${code.replace(/^\/\/# sourceMappingURL=.*$/m, '')}`;
}

// The interpreter is published as a module only; the page has scripts. It wants some functions that the script of
// Vega offers under the same names.
function moduleAsScript(code) {
  const imported = /^import (\{[^}]*\}) from 'vega-util';$/m;
  const exported = /^export \{ (\w+) as expressionInterpreter \};$/m;
  if (!imported.test(code) || !exported.test(code)) fail('vega-interpreter has another form than expected');
  const script = code.replace(imported, 'const $1 = vega;').replace(exported, 'globalThis.expressionInterpreter = $1;');
  if (/^(import|export) /m.test(script)) fail('vega-interpreter imports or exports more than expected');
  return `(() => {\n${script}\n})();`;
}

// The files of a folder in the order of their names, as [name, text].
const filesOf = (folder) => readdirSync(join(here, folder)).sort().map((file) => [file, read(here, folder, file)]);

const charts = Object.fromEntries(filesOf('charts').map(([file, text]) => [basename(file, '.vl.json'), JSON.parse(text)]));
// Without what only its authors read: comments of whole lines, and indentation.
const dense = (code) => code.replace(/^ *\/\/.*\n|^ +/gm, '');
// Each script uses what stands before it.
const scripts = `(() => {\n'use strict';\n${filesOf('scripts').map(([, code]) => dense(code)).join('\n')}\n})();`;

const libraries = [
  licensed('vega', read(modules, 'vega', 'build', 'vega.min.js')),
  licensed('vega-lite', read(modules, 'vega-lite', 'build', 'vega-lite.min.js')),
  licensed('vega-interpreter', moduleAsScript(read(modules, 'vega-interpreter', 'build', 'vega-interpreter.js'))),
];
const style = read(here, 'style.css');
const programs = [...libraries, scripts].map((code) => `\n${code}\n`);
for (const code of programs) {
  if (/<\/script/i.test(code) || code.includes('<!--')) fail('a script holds what would end its element');
}
const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${programs.map(hash).join(' ')}`,
  `style-src ${hash(style)}`,
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const parts = {
  policy: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  style: `<style>${style}</style>`,
  charts: `<script type="application/json" id="charts">${JSON.stringify(charts).replaceAll('<', '\\u003c')}</script>`,
  scripts: programs.map((code) => `<script>${code}</script>`).join('\n'),
};
let page = read(here, 'page.html');
for (const [name, text] of Object.entries(parts)) {
  const mark = `<!--${name}-->`;
  if (page.split(mark).length !== 2) fail(`page.html must hold ${mark} once`);
  page = page.replace(mark, () => text);
}
writeFileSync(output, page);
