import { mkdtempSync } from 'node:fs'
import { createLogger, mount } from '../../kernel/index.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { builtins } from '../../config/builtins.ts'
import { presets } from '../../config/presets.ts'
import { pageOf } from './pages.ts'
const plugins = await Promise.all(presets.standalone.map(async (name) => ({ plugin: (await builtins[name]()).default as never, options: undefined })))
const m = mount({ shape: 'standalone', plugins, env: { ORCHESTRATOR_DATA_DIR: mkdtempSync('/tmp/bench-') }, log: createLogger({ level: 'warn' }) })
const d = await m.get(drafts)
const id = { siteId: 'avocado-stories', session: 'dev' }
await d.commit({ id, edit: { kind: 'pages', pages: new Map([['/', pageOf(30000)]]), source: 'bootstrap', summary: '', undo: 'none' }, actor: { kind: 'system' }, channel: 'api' }, (c) => c)
let n = 0
const total = Number(process.argv[2] ?? 20000)
async function worker() { while (n < total) { n++; await d.commit({ id, edit: { kind: 'operations', source: 'direct', ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_richtext_0', patch: { title: 'T' + n } }] }, actor: { kind: 'person', id: 'x' }, channel: 'api' }, (c) => c.previewVersion) } }
for (let round = 0; round < 3; round++) { n = 0; const c0 = process.cpuUsage(), t0 = performance.now(); await Promise.all(Array.from({ length: 32 }, worker)); const c = process.cpuUsage(c0); console.log('cpu us/op', ((c.user) / total).toFixed(1), 'sys', (c.system/total).toFixed(1), 'ops/s', (total / (performance.now() - t0) * 1000).toFixed(0)) }
await m.close()
