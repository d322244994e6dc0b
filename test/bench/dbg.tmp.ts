import { mkdtempSync } from 'node:fs'
import { createLogger, mount } from '../../kernel/index.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { builtins } from '../../config/builtins.ts'
import { presets } from '../../config/presets.ts'
import { pageOf } from './pages.ts'
const plugins = await Promise.all(presets.standalone.map(async (name) => ({ plugin: (await builtins[name]()).default as never, options: undefined })))
const m = mount({ shape: 'standalone', plugins, env: { ORCHESTRATOR_DATA_DIR: mkdtempSync('/tmp/bench-') }, log: createLogger({ level: 'warn' }) })
console.log((await m.inject({ method: 'POST', url: '/draft/bootstrap', json: { pages: [pageOf(30000)] } })).status)
const d = await m.get(drafts)
console.log(d.pageInMemory({ siteId: 'avocado-stories', session: 'dev' }, '/') !== undefined)
console.log((await m.inject({ url: '/draft/pages?session=dev&slug=/' })).status)
console.log(d.pageInMemory({ siteId: 'avocado-stories', session: 'dev' }, '/') !== undefined)
await m.close()
