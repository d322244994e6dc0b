/** A page of React components whose last block arrives, and is taken over, later than the page. */
import { createElement as h, lazy, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToPipeableStream } from 'react-dom/server'
import { marks } from '../../plugins/site/browser/bridge/index.ts'

const [first, late] = ['b_first', 'b_late'].map((id) => ({ id, type: 'CardGrid' }))

const Late = () =>
  h(
    'section',
    marks(late),
    h('h2', marks(late, 'title'), 'Late'),
    h('p', marks(late, 'cards[0].title'), 'Card'),
  )

/** The last block is not known before so many milliseconds. */
const after = (ms) => lazy(() => new Promise((resolve) => setTimeout(resolve, ms, { default: Late })))

const Page = ({ Part, script }) =>
  h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('title', null, 'Late'),
      h('link', { rel: 'preload', as: 'script', href: '/_next/page.js' }),
    ),
    h(
      'body',
      null,
      h(
        'main',
        null,
        h('section', marks(first), h('h1', marks(first, 'title'), 'First')),
        h(Suspense, { fallback: h('p', null, '…') }, h(Part)),
      ),
      h('script', { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: script } }),
    ),
  )

/** Sends the page, with its last block after so many milliseconds. */
export function send(response, { ms, script }) {
  const page = renderToPipeableStream(h(Page, { Part: after(ms), script }), {
    bootstrapScripts: ['/_next/page.js'],
    onShellReady: () => page.pipe(response.setHeader('content-type', 'text/html')),
  })
}

if (globalThis.document) hydrateRoot(document, h(Page, { Part: after(2500), script: '' }))
