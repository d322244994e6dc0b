import { useState } from 'preact/hooks'
import { GoneNotice } from '../edit/gone-notice.tsx'
import { MoveButtons } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useHeld } from '../parts/use-held.ts'
import { keyOfPage, pages, titleOf, type PageSummary } from '../stores/draft.ts'
import { isTypedAt } from '../stores/held.ts'
import { nameOfSetting } from '../stores/place.ts'
import { session, site } from '../stores/site.ts'
import { config } from '../stores/site-config.ts'
import { movePage } from './intents.ts'
import { menuOf, withGroup, type MenuEntry } from './menu.ts'
import { Setting } from './setting.tsx'
import { storePageSetting, type PageSetting } from './store-setting.ts'

const keyOf = ({ slug }: MenuEntry): number => keyOfPage(slug)
const isTyped = ({ slug }: MenuEntry): boolean =>
  isTypedAt(['menu', 'group'].map((name) => nameOfSetting([site.peek()?.id, session], name, slug)))

/** The menu of the site: the order of the pages, what it calls them, and their groups. */
export function MenuSettings() {
  const [open, setOpen] = useState<number | undefined>(undefined)
  const entries = menuOf(pages.value, config.value)
  const { shown, release } = useHeld(entries, keyOf, isTyped)
  return (
    <>
      <h2>Menu</h2>
      <p class="soft">Every page is in the menu. Open one to rename it or to put it into a group.</p>
      <ol class="list stack menu-entries" aria-label="Menu">
        {shown.map(({ value: entry, isGone }) => {
          const key = keyOf(entry)
          return (
            <Entry
              key={key}
              entry={entry}
              onLeave={isGone ? () => release(key) : undefined}
              isOpen={open === key}
              onToggle={(isOpen) => setOpen((now) => (isOpen ? key : now === key ? undefined : now))}
              at={entries.indexOf(entry) - 1}
              last={entries.length - 2}
            />
          )
        })}
      </ol>
      <datalist id="menu-groups">
        {Object.keys(config.value?.navGroups ?? {}).map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
    </>
  )
}

interface EntryProps {
  readonly entry: MenuEntry
  /** Leaves an entry whose page was deleted; its texts are offered apart from it. */
  readonly onLeave: (() => void) | undefined
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  /** The position among the pages that move, and that of the last one. */
  readonly at: number
  readonly last: number
}

/** The entry of a page in the settings that were read last. */
const entryOf = (page: Pick<PageSummary, 'slug' | 'title'>) => menuOf([page], config.value)[0]

const menuName: PageSetting = {
  what: 'Menu',
  stored: (page) => entryOf(page)?.label ?? '',
  opsFor: (value, { slug }) => [{ op: 'update_site_config', patch: { navLabels: { [slug]: value } } }],
}

const menuGroup: PageSetting = {
  what: 'Menu',
  stored: (page) => entryOf(page)?.group ?? '',
  opsFor: (value, { slug }) => {
    const navGroups = withGroup(config.value?.navGroups ?? {}, slug, value.trim())
    return [{ op: 'update_site_config', patch: { navGroups } }]
  },
}

/** What the menu calls a page. */
export function MenuName({ slug, title }: { readonly slug: string; readonly title: string }) {
  const [entry] = menuOf([{ slug, title }], config.value)
  if (!entry || !config.value) return null
  const { label, derived } = entry
  return (
    <Setting
      name="menu"
      slug={slug}
      label="Name in the menu"
      hint={label === '' ? `The menu shows “${derived}”.` : undefined}
      stored={label}
      onStore={(value, on) => storePageSetting(menuName, slug, { value, on })}
    />
  )
}

function Entry({ entry: { slug, label, derived, group }, onLeave, isOpen, onToggle, at, last }: EntryProps) {
  const name = label || derived
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
        <summary>
          <span class="grow cut" dir="auto">
            {name} {group !== '' && <small>in {group}</small>}
          </span>
          {slug !== '/' && !onLeave && (
            <MoveButtons what={name} at={at} last={last} onMove={(by) => movePage(slug, by)} />
          )}
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </summary>
        {isOpen && (
          <div class="row-fields">
            {onLeave && <GoneNotice place={{ slug, blockId: '', path: [] }} what="page" onLeave={onLeave} />}
            <MenuName slug={slug} title={titleOf(slug)} />
            <Group slug={slug} group={group} />
          </div>
        )}
      </details>
    </li>
  )
}

/** The group of a page in the menu. */
const Group = ({ slug, group }: Pick<MenuEntry, 'slug' | 'group'>) => (
  <Setting
    name="group"
    slug={slug}
    label="Group in the menu"
    list="menu-groups"
    stored={group}
    onStore={(value, on) => storePageSetting(menuGroup, slug, { value, on })}
  />
)
