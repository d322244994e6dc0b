import { mkdtempSync } from 'node:fs'
import { systemClock } from '../../kernel/index.ts'
import { createSqliteStore } from '../../plugins/store/sqlite.ts'
import { changes, heads, pages, stacks, versionKey } from '../../plugins/draft/collections.ts'
import { pageOf } from './pages.ts'
const s = createSqliteStore({ file: mkdtempSync('/tmp/bench-') + '/x.db', clock: systemClock, log: { warn() {}, error() {} }, backups: false })
const page = pageOf(30000), text = JSON.stringify(page)
const which = (process.argv[2] ?? 'phcs')
const big = 'x'.repeat(1200)
let v = 0
const total = 20000; let n = 0
async function worker() { while (n < total) { n++; await s.transaction(async (tx) => {
  v++
  await tx.of(heads).get('a', 'dev')
  if (which.includes('p')) await tx.of(pages).put('s', '/', { body: page, text, columns: { rank: '1', title: 't', updatedAt: 'x', blocks: 30, blockIds: 'a\nb' } })
  if (which.includes('c')) await tx.of(changes).put('s', versionKey(v), { body: { pages: [], config: [], actor: { kind: 'person' }, ops: [{ big }] } as never, columns: { at: 'x', source: 'x', channel: 'x', slug: '/', summary: 'x', opTypes: '[]', opCount: 1, slugs: '[]', removed: '[]', config: 0, actor: '{}' } })
  if (which.includes('s')) await tx.of(stacks).put('s', '/', { body: { undo: Array.from({length:50},(_, i)=>i+v), redo: [] }, columns: {} })
  if (which.includes('h')) await tx.of(heads).put('a', 'dev', { body: { version: v }, columns: { pages: 1, changedAt: 'x' } })
}) } }
for (let round = 0; round < 3; round++) { n = 0; const c0 = process.cpuUsage(), t0 = performance.now(); await Promise.all(Array.from({ length: 32 }, worker)); const c = process.cpuUsage(c0); console.log(which, 'user', ((c.user) / total).toFixed(1), 'sys', (c.system/total).toFixed(1), 'ops/s', (total / (performance.now() - t0) * 1000).toFixed(0)) }
await s.close()
