/** The title of a page and what search engines read of it, as they are stored from its settings and from the page itself. */
import { metaNames } from '../../../content/setting-names.ts'
import { isDocument } from '../stores/documents.ts'
import { slug } from '../stores/draft.ts'
import { nameOfSetting } from '../stores/place.ts'
import { session, site } from '../stores/site.ts'
import { config } from '../stores/site-config.ts'
import { leave, type, type Store } from '../stores/typed.ts'
import { menuOf } from './menu.ts'
import { storePageSetting, type PageSetting } from './store-setting.ts'

export type MetaName = 'title' | 'description' | 'ogImage'

/** A menu that shows the title goes on showing it. */
export const pageTitle: PageSetting = {
  what: 'Title',
  stored: ({ title }) => title,
  opsFor: (value, { slug, title: before }) => {
    const op = { op: 'rename_page', pageSlug: slug, newTitle: value }
    const [entry] = menuOf([{ slug, title: before }], config.value)
    const isShown = !isDocument(slug) && entry && (entry.label || entry.derived) === before
    const label = value.trim() === entry?.derived ? '' : value.trim()
    return isShown ? [op, { op: 'update_site_config', patch: { navLabels: { [slug]: label } } }] : [op]
  },
}

export const metaSetting = (name: MetaName): PageSetting => ({
  what: metaNames[name],
  stored: ({ meta }) => meta?.[name] ?? '',
  opsFor: (value, { slug }) => [{ op: 'update_page_meta', pageSlug: slug, patch: { [name]: value } }],
})

interface TypedSetting {
  /** `title`, or `meta.` and a name. */
  readonly path: string
  readonly value: string
  readonly initial: string
  /** Whether the text was left: until then it is stored at a pause. */
  readonly isFinished: boolean
}

/** Takes the title or the description of a page that is typed on the page itself. */
export function typeSetting({ path, value, initial, isFinished }: TypedSetting): void {
  const of = slug.value
  const setting = path === 'title' ? pageTitle : metaSetting('description')
  const name = nameOfSetting([site.value?.id, session], path.replace('.', ' '), of)
  const store: Store = (typed, on) => storePageSetting(setting, of, { value: String(typed), on: String(on) })
  type(name, value, initial, store)
  if (isFinished) leave(name, store)
}
