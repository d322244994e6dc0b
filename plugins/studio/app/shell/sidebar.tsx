import { Outline } from '../edit/outline.tsx'
import { openSettings } from '../pages/settings.ts'
import { hasDocuments, isListed, notice, pages } from '../stores/draft.ts'
import { pagesOpen, panels } from '../stores/ui.ts'
import { FirstMinute } from './first-minute.tsx'
import { isNarrow } from '../stores/widths.ts'

export const drawerId = 'outline'

/** The blocks of the page, and the way to the settings: a panel, and in a narrow window a drawer. */
export function Sidebar({ hidden }: { readonly hidden: boolean }) {
  const close = ({
    target,
    currentTarget,
  }: {
    readonly target: EventTarget | null
    currentTarget: HTMLElement
  }): void => {
    const isChoice =
      target instanceof Element && target.closest('.row') && !target.closest('.tools, .twist, .menu')
    if (isNarrow.value && isChoice) currentTarget.hidePopover()
  }
  return (
    <aside
      id={drawerId}
      class="left"
      hidden={hidden || (!isNarrow.value && panels.left.value === 'folded')}
      aria-label="Page"
      popover={isNarrow.value ? 'auto' : undefined}
      onClick={close}
    >
      {notice.value !== undefined && <p class="warning pad">{notice.value}</p>}
      <Outline />
      <PageLinks />
      <FirstMinute />
    </aside>
  )
}

const PageLinks = () => (
  <section aria-label="Page and site">
    <h2>Page</h2>
    <ul>
      <li class="row">
        <button type="button" class="grow cut" onClick={() => openSettings('page')}>
          {hasDocuments.value ? 'Title, file, description' : 'Title, address, search'}
        </button>
      </li>
      {!hasDocuments.value && (
        <li class="row">
          <button type="button" class="grow cut" onClick={() => openSettings('site')}>
            Site settings
          </button>
        </li>
      )}
      <li class="row">
        <button type="button" class="grow cut" onClick={() => (pagesOpen.value = 'list')}>
          {hasDocuments.value ? 'All documents' : 'All pages'}{' '}
          {isListed.value && <small>{pages.value.length}</small>}
        </button>
      </li>
    </ul>
  </section>
)
