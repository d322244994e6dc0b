import { gzipSync } from 'node:zlib'
import t from 'tap'
import { livePreviewScript } from '../../config/site.ts'
import { pageTextsScripts } from '../../plugins/site/port.ts'

/**
 * What it shows of a draft, and the stream that pages of one origin share, with locks of their own without
 * TLS.
 */
const mostKib = 13.7

t.test('the script of a draft page stays small', async (t) => {
  const live = { orchestrator: 'https://editor.example', siteId: 'demo', session: 'dev', slug: '/' }
  const bytes = gzipSync(livePreviewScript({ live })).length
  t.ok(bytes < mostKib * 1024, `${bytes} bytes, compressed`)
})

/** What finds, marks and reports the texts of a page that carries no marks. */
const mostFirstKib = 15

t.test('the first part of the script of a page without marks stays small', (t) => {
  const scripts = pageTextsScripts()
  const first = new Set(['early.js', 'texts.js'])
  // A set is walked with what is added meanwhile.
  for (const name of first)
    for (const [, other = ''] of (scripts[name] ?? '').matchAll(/\bfrom"\.\/([\w.-]+)"/g)) first.add(other)
  const sizes = Object.entries(scripts).map(([name, code]) => ({ name, bytes: gzipSync(code).length }))
  const of = (isFirst: boolean) =>
    sizes.filter(({ name }) => first.has(name) === isFirst).reduce((sum, { bytes }) => sum + bytes, 0)
  t.ok(of(true) < mostFirstKib * 1024, `${of(true)} bytes, compressed`)
  t.ok(of(false) > 0, `${of(false)} bytes are loaded once an editor answers`)
  t.end()
})
