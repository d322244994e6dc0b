import { gzipSync } from 'node:zlib'
import t from 'tap'
import { livePreviewScript } from '../../config/site.ts'

/**
 * What it shows of a draft, and the stream that pages of one origin share, with locks of their own without
 * TLS.
 */
const mostKib = 13.6

t.test('the script of a draft page stays small', async (t) => {
  const live = { orchestrator: 'https://editor.example', siteId: 'demo', session: 'dev', slug: '/' }
  const bytes = gzipSync(livePreviewScript({ live })).length
  t.ok(bytes < mostKib * 1024, `${bytes} bytes, compressed`)
})
