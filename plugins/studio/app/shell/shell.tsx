import { signal } from '@preact/signals'
import { Chat } from '../chat/chat.tsx'
import { AddBlock } from '../edit/add-block.tsx'
import { Outline } from '../edit/outline.tsx'
import { Fields } from '../fields/panel.tsx'
import { PageList } from '../fields/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Preview } from '../preview/frame.tsx'
import { notice, openPage, pages, slug } from '../stores/draft.ts'
import { Bar } from './bar.tsx'
import { Palette } from './palette.tsx'
import { Password } from './password.tsx'
import { Toasts } from './toasts.tsx'
import { view } from '../stores/ui.ts'
import { views } from './views.ts'

/** The studio. The page in the frame stays loaded while another view is shown. */
export function Shell() {
  const isEdit = view.value === 'edit'
  const { View } = views.find(({ name }) => name === view.value) ?? {}
  return (
    <div class="shell">
      <Bar />
      <nav class="rail" aria-label="Views">
        {views.map(({ name, text, icon }) => (
          <button
            key={name}
            type="button"
            title={text}
            aria-label={text}
            aria-current={view.value === name ? 'page' : undefined}
            onClick={() => (view.value = name)}
          >
            <Icon name={icon} />
          </button>
        ))}
      </nav>
      <aside class="left" hidden={!isEdit} aria-label="Page">
        {notice.value !== undefined && <p class="warning pad">{notice.value}</p>}
        <Outline />
        <Pages />
      </aside>
      <main class="centre" hidden={!isEdit}>
        <Preview />
      </main>
      <Side hidden={!isEdit} />
      {View && <View />}
      <PageList />
      <AddBlock />
      <Palette />
      <Toasts />
      <Password />
    </div>
  )
}

const Pages = () => (
  <section aria-label="Pages">
    <h2>Pages</h2>
    <ul class="outline">
      {pages.value.map((page) => (
        <li key={page.slug} class="row" aria-current={page.slug === slug.value ? 'page' : undefined}>
          <button type="button" class="grow" onClick={() => void openPage(page.slug)}>
            {page.title} <small>{page.slug}</small>
          </button>
        </li>
      ))}
    </ul>
  </section>
)

const tab = signal<'chat' | 'fields'>('fields')

function Side({ hidden }: { readonly hidden: boolean }) {
  return (
    <aside class="right" hidden={hidden} aria-label="Chat and fields">
      <div class="tabs" role="tablist">
        {(['chat', 'fields'] as const).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls={`panel-${name}`}
            aria-selected={tab.value === name}
            onClick={() => (tab.value = name)}
          >
            {name === 'chat' ? 'Chat' : 'Fields'}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${tab.value}`} aria-labelledby={`tab-${tab.value}`} class="panel">
        {tab.value === 'chat' ? <Chat /> : <Fields />}
      </div>
    </aside>
  )
}
