import { Fragment } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { isComposing } from '../parts/composing.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Confirm } from '../parts/question.tsx'
import { hasDocuments, pages, slug, unreadable } from '../stores/draft.ts'
import { changedPages } from '../stores/outline.ts'
import { publish } from '../stores/publishing.ts'
import { changeCount } from '../stores/review.ts'
import { pagesOpen, view } from '../stores/ui.ts'
import { copyPage, movePage, removePage, show } from './intents.ts'
import { NewPage } from './new-page.tsx'
import { PageRow, UnreadableRow } from './page-row.tsx'
import { Redirects } from './redirects.tsx'
import { openSettings } from './settings.ts'
import { found, hasWords } from './tree.ts'

/** All pages: found by typing, opened, added, moved, copied and deleted. */
export function Pages() {
  const state = pagesOpen.value
  const close = (): void => void (pagesOpen.value = undefined)
  if (state === 'new') return <NewPage onClose={close} />
  return state === 'list' ? <PageList onClose={close} /> : null
}

function PageList({ onClose }: { readonly onClose: () => void }) {
  const [wanted, setWanted] = useState('')
  const [deleted, setDeleted] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const nodes = found(pages.value, wanted)
  const closed = unreadable.value.filter((each) => hasWords(each.slug, wanted))
  const what = hasDocuments.value ? 'document' : 'page'
  const rows = (): readonly HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('li') ?? [])]
  const open = (slug: string): void => {
    onClose()
    void show(slug)
  }
  const actions: Readonly<Record<string, (slug: string) => void>> = {
    Enter: open,
    F2(slug) {
      open(slug)
      openSettings('page')
    },
    'Alt+ArrowUp': (slug) => movePage(slug, -1),
    'Alt+ArrowDown': (slug) => movePage(slug, 1),
    'Ctrl+d': (slug) => void copyPage(slug),
    Backspace: (slug) => void removePage(slug),
    Delete: (slug) => void removePage(slug),
  }
  const key = (event: KeyboardEvent): void => {
    const { target, altKey, ctrlKey, metaKey } = event
    if (isComposing(event) || !(target instanceof HTMLElement)) return
    const at = rows().indexOf(target)
    const isSearch = target instanceof HTMLInputElement
    const to =
      !altKey && (at !== -1 || isSearch) ? { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key] : undefined
    const name = `${altKey ? 'Alt+' : ''}${ctrlKey || metaKey ? 'Ctrl+' : ''}${event.key}`
    const of = isSearch && event.key === 'Enter' ? nodes[0]?.slug : target.dataset['page']
    const action = to === undefined && of !== undefined ? actions[name] : undefined
    if (to === undefined && !action) return
    event.preventDefault()
    event.stopPropagation()
    if (action && of !== undefined) action(of)
    else if (to !== undefined && to < 0) list.current?.closest('dialog')?.querySelector('input')?.focus()
    else if (to !== undefined) rows()[to]?.focus()
  }
  return (
    <Dialog label="Pages" onClose={onClose}>
      <div class="pages" onKeyDown={key}>
        <div class="with-button">
          <input
            type="text"
            aria-label={`Find a ${what}`}
            placeholder={`Find a ${what}`}
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <Button needs="edit" onClick={() => (pagesOpen.value = 'new')}>
            + New {what}
          </Button>
        </div>
        <ul ref={list} class="outline" role="tree" aria-label="Pages">
          {nodes.map((node, index) => (
            <Fragment key={node.slug}>
              {node.folder !== undefined && node.folder !== nodes[index - 1]?.folder && (
                <li class="soft" role="presentation">
                  {node.folder || 'At the top'}
                </li>
              )}
              <PageRow
                node={node}
                isFirst={index === 0}
                isShown={node.slug === slug.value}
                isChanged={changedPages.value.has(node.slug)}
                onOpen={open}
              />
            </Fragment>
          ))}
          {closed.map((each, at) => (
            <UnreadableRow key={at} {...each} onDelete={() => setDeleted(each.slug)} />
          ))}
        </ul>
        {deleted !== undefined && (
          <DeleteUnreadable slug={deleted} onDone={onClose} onClose={() => setDeleted(undefined)} />
        )}
        {wanted === '' && !hasDocuments.value && <Redirects />}
        {nodes.length + closed.length === 0 && <p class="soft pad">No {what} matches your search.</p>}
      </div>
    </Dialog>
  )
}

interface DeleteProps {
  readonly slug: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before an entry is deleted that is in no draft, and names what is published with it. */
function DeleteUnreadable({ slug, onDone, onClose }: DeleteProps) {
  const count = changeCount.value
  const isOne = count === 1
  const removeNow = (): void => {
    onDone()
    void publish({ remove: [slug] })
    view.value = 'review'
  }
  return (
    <Confirm
      label="Delete from the site"
      title={`Delete ${slug} from the site?`}
      yes="Delete from the site"
      needs="publish"
      onYes={removeNow}
      onClose={onClose}
    >
      <p>It is removed from the site immediately. This cannot be undone.</p>
      {count > 0 && (
        <p class="warning">
          {isOne ? 'The change in the review is' : `The ${count} changes in the review are`} published with
          it.
        </p>
      )}
    </Confirm>
  )
}
