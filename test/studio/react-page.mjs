/** A website of React components, as a framework renders it on the server and hydrates it in the browser. */
import { createElement as h, useEffect, useRef, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { bridge, marks } from '../../plugins/site/browser/bridge/index.ts'

const text = (value) => (typeof value === 'string' ? value : '')
const rows = (value) => (Array.isArray(value) ? value : [])

function Stats({ block }) {
  return h(
    'dl',
    null,
    rows(block.props.stats).map(({ label, value }, at) =>
      h(
        'div',
        { key: at, ...marks(block, `stats[${at}]`) },
        h('dt', marks(block, `stats[${at}].label`), text(label)),
        h('dd', marks(block, `stats[${at}].value`), text(value)),
      ),
    ),
  )
}

function Block({ block }) {
  const { heading, title, stats } = block.props
  const [name, Level] = title === undefined ? ['heading', 'h1'] : ['title', 'h2']
  return h(
    'section',
    marks(block),
    h(Level, marks(block, name), text(heading ?? title)),
    stats && h(Stats, { block }),
  )
}

/** Renders the page again from the server when the draft changes. Another page begins anew. */
function Live({ live, refresh }) {
  const latest = useRef(live)
  useEffect(() => void (latest.current = live))
  useEffect(() => {
    const opened = bridge({ ...latest.current, render: () => void refresh() })
    return () => opened.close()
  }, [live.slug])
  return null
}

function Page({ initial }) {
  const [{ page, slugs, live }, setShown] = useState(initial)
  const refresh = async () => {
    const answer = await fetch(location.href, { headers: { accept: 'application/json' } })
    setShown(await answer.json())
  }
  if (!page) return h('p', null, 'There is no such page.')
  return h(
    'div',
    null,
    h(
      'nav',
      null,
      slugs.map((slug) => h('a', { key: slug, href: slug }, slug)),
    ),
    h(
      'main',
      null,
      page.blocks.map((block) => h(Block, { key: block.id, block })),
    ),
    live && h(Live, { live, refresh }),
  )
}

export const render = (initial) => renderToString(h(Page, { initial }))

if (globalThis.document) {
  const initial = JSON.parse(document.getElementById('shown').textContent)
  hydrateRoot(document.getElementById('root'), h(Page, { initial }))
}
