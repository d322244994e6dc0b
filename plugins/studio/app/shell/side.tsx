import { useEffect } from 'preact/hooks'
import { Chat } from '../chat/chat.tsx'
import { Fields } from '../fields/panel.tsx'
import { IconButton } from '../parts/button.tsx'
import { NotAllowed } from '../parts/not-allowed.tsx'
import { PageSettings } from '../pages/page-settings.tsx'
import { SiteSettings } from '../pages/site-settings.tsx'
import { shownBlock } from '../stores/held.ts'
import { sentenceOfMove } from '../stores/moves-of-pages.ts'
import { isSideOpen, openSide, panels, settings, side } from '../stores/ui.ts'
import { isPhone } from '../stores/widths.ts'

const tabs = { chat: 'Chat', fields: 'Fields' } as const
const needs = {
  chat: { needs: 'plan', to: 'ask for changes' },
  fields: { needs: 'edit', to: 'change texts' },
} as const
type Tab = keyof typeof tabs
const names: readonly Tab[] = ['chat', 'fields']

export const sideId = 'side'

/** Chat and fields: beside the page, and on a phone a sheet over it. */
export function Side({ hidden }: { readonly hidden: boolean }) {
  const isOpen = !isPhone.value || isSideOpen.value
  const isFolded = !isPhone.value && panels.right.value === 'folded'
  const toggle = (): void => void (isSideOpen.value = !isSideOpen.value)
  // What is typed in the page itself has its way back here.
  const isGone = shownBlock.value?.isGone === true
  useEffect(() => void (isGone && openSide('fields')), [isGone])
  return (
    <aside
      class="right"
      id={sideId}
      hidden={hidden || isFolded}
      aria-label="Chat and fields"
      data-open={isOpen}
    >
      <div class="tabs">
        <div class="grow" role="tablist" aria-label="Chat and fields" onKeyDown={walk}>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-controls={`panel-${name}`}
              aria-selected={side.value === name}
              tabIndex={side.value === name ? 0 : -1}
              onClick={() => openSide(name)}
            >
              {tabs[name]}
            </button>
          ))}
        </div>
        {isPhone.value && (
          <IconButton
            name={isOpen ? 'chevron-down' : 'chevron-up'}
            label={isOpen ? 'Hide chat and fields' : 'Show chat and fields'}
            onClick={toggle}
          />
        )}
      </div>
      {sentenceOfMove.value && <p class="soft pad">{sentenceOfMove.value}</p>}
      {names.map((name) => (
        <div
          key={name}
          role="tabpanel"
          id={`panel-${name}`}
          aria-labelledby={`tab-${name}`}
          class="panel"
          hidden={!isOpen || side.value !== name}
        >
          <NotAllowed {...needs[name]} />
          {side.value === name && (name === 'chat' ? <Chat /> : shownBlock.value ? <Fields /> : <Settings />)}
        </div>
      ))}
    </aside>
  )
}

/** Arrows walk from tab to tab, as in every list of tabs. */
function walk(event: KeyboardEvent): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const other: Tab = side.value === 'chat' ? 'fields' : 'chat'
  openSide(other)
  document.getElementById(`tab-${other}`)?.focus()
}

const Settings = () => (settings.value === 'site' ? <SiteSettings /> : <PageSettings />)
