import { useState } from 'preact/hooks'
import { MoveButtons } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { pages, titleOf } from '../stores/draft.ts'
import { config } from '../stores/site-config.ts'
import { changeMenu, movePage, storeSetting } from './intents.ts'
import { menuOf, withGroup, type MenuEntry } from './menu.ts'
import { Setting } from './setting.tsx'

/** The menu of the site: the order of the pages, what it calls them, and their groups. */
export function MenuSettings() {
  const [open, setOpen] = useState<string | undefined>(undefined)
  const entries = menuOf(pages.value, config.value)
  return (
    <>
      <h2>Menu</h2>
      <p class="soft">Every page is in the menu. Open one to rename it or to put it into a group.</p>
      <ol class="list stack menu-entries" aria-label="Menu">
        {entries.map((entry, index) => (
          <Entry
            key={entry.slug}
            entry={entry}
            isOpen={open === entry.slug}
            onToggle={(isOpen) =>
              setOpen((now) => (isOpen ? entry.slug : now === entry.slug ? undefined : now))
            }
            at={index - 1}
            last={entries.length - 2}
          />
        ))}
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
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  /** The position among the pages that move, and that of the last one. */
  readonly at: number
  readonly last: number
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
      onStore={(value, on) => {
        const opsFor = (of: string) => [{ op: 'update_site_config', patch: { navLabels: { [of]: value } } }]
        return storeSetting('Menu', opsFor, { on, now: label }, slug)
      }}
    />
  )
}

function Entry({ entry: { slug, label, derived, group }, isOpen, onToggle, at, last }: EntryProps) {
  const name = label || derived
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
        <summary>
          <span class="grow cut" dir="auto">
            {name} {group !== '' && <small>in {group}</small>}
          </span>
          {slug !== '/' && (
            <MoveButtons what={name} at={at} last={last} onMove={(by) => movePage(slug, by)} />
          )}
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </summary>
        {isOpen && (
          <div class="row-fields">
            <MenuName slug={slug} title={titleOf(slug)} />
            <Group slug={slug} group={group} />
          </div>
        )}
      </details>
    </li>
  )
}

/** The group of a page in the menu, stored when it is left: a half typed one would be a group of its own. */
function Group({ slug, group }: { readonly slug: string; readonly group: string }) {
  const store = (wanted: string): void => {
    const next = wanted.trim()
    if (next === group) return
    void changeMenu('Menu changed', { navGroups: withGroup(config.value?.navGroups ?? {}, slug, next) })
  }
  return (
    <div class="field">
      <label for={`group ${slug}`}>Group in the menu</label>
      <input
        id={`group ${slug}`}
        dir="auto"
        list="menu-groups"
        autocomplete="off"
        defaultValue={group}
        placeholder="No group"
        onChange={({ currentTarget }) => store(currentTarget.value)}
      />
    </div>
  )
}
