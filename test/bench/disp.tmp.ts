import { mkdtempSync } from 'node:fs'
import { createLogger, createAccessLog, createKernel } from '../../kernel/index.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { builtins } from '../../config/builtins.ts'
import { presets } from '../../config/presets.ts'
import { pageOf } from './pages.ts'
const plugins = await Promise.all(presets.standalone.map(async (name) => ({ plugin: (await builtins[name]()).default as never, options: undefined })))
const k = await createKernel({ shape: 'standalone', plugins, env: { ORCHESTRATOR_DATA_DIR: mkdtempSync('/tmp/bench-') }, log: createLogger({ level: 'warn' }), access: createAccessLog(() => {}, Date.now), origins: { origins: ['http://localhost:3000'], hosts: ['localhost'] } })
const d = k.get(drafts)
const id = { siteId: 'avocado-stories', session: 'dev' }
await d.commit({ id, edit: { kind: 'pages', pages: new Map([['/', pageOf(30000)]]), source: 'bootstrap', summary: '', undo: 'none' }, actor: { kind: 'system' }, channel: 'api' }, (c) => c)
const inbound = (path: string, search: string, headers: Record<string, string>) => ({ method: 'GET', path, search, secure: false, remote: '127.0.0.1', header: (n: string) => headers[n], get headers() { return new Headers(headers) }, get signal() { return new AbortController().signal }, hasBody: false, read: async () => new Uint8Array(), async *stream() {} }) as never
const h = { host: '127.0.0.1:4200' }
const cases: Record<string, () => unknown> = {
  health: () => k.dispatch(inbound('/health', '', h)),
  page: () => k.dispatch(inbound('/draft/pages', 'session=dev&slug=/', h)),
  page304: () => k.dispatch(inbound('/draft/pages', 'session=dev&slug=/', { ...h, 'if-none-match': '"1"' })),
}
for (const [name, run] of Object.entries(cases)) {
  const times = []
  for (let r = 0; r < 15; r++) { const c = process.cpuUsage(); for (let i = 0; i < 20000; i++) run(); const u = process.cpuUsage(c); times.push((u.user + u.system) / 20000) }
  console.log(name, Math.min(...times).toFixed(2), 'us')
}
await k.close()
