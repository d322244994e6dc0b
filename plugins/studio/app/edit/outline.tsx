import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { blocks, isMissing, page, takesBlocks } from '../stores/draft.ts'
import { whyNoPage } from '../stores/editor-routes.ts'
import { focused, hasFocus, nodes, pointed, wantedRow } from '../stores/outline.ts'
import { adding } from '../stores/ui.ts'
import { placeToAdd } from './intents.ts'
import { actOn, focusRow } from './outline-keys.ts'
import { LockedRow, OutlineRow } from './outline-row.tsx'

/** The blocks of the page as a tree that has every action, also by keyboard. */
export function Outline() {
  const held = useRef<string | undefined>(undefined)
  // A browser takes the focus from an element that moves.
  useLayoutEffect(() => {
    if (held.current !== undefined && document.activeElement === document.body) focusRow(held.current)
    if (!nodes.value.some(({ id }) => id === wantedRow.value)) return
    focusRow(wantedRow.value)
    wantedRow.value = undefined
  }, [nodes.value])
  const focusIn = ({ target }: FocusEvent): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null
    if (row) focused.value = row.dataset['node']
    hasFocus.value = true
  }
  const focusOut = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (relatedTarget) held.current = undefined
    hasFocus.value = relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget)
  }
  const key = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && actOn(event, event.target.dataset['node']))
      held.current = focused.value
  }
  return (
    <section aria-label="Blocks on this page">
      <h2>Blocks on this page</h2>
      {page.value === undefined && <NoPage />}
      {page.value !== undefined && blocks.value.length === 0 && (
        <p class="soft pad">This page is empty. Add a block to begin.</p>
      )}
      <ul
        class="outline"
        role="tree"
        aria-label="Blocks"
        onKeyDown={key}
        onFocusIn={focusIn}
        onFocusOut={focusOut}
        onPointerLeave={() => (pointed.value = undefined)}
      >
        {nodes.value.map((node) =>
          node.locked === undefined ? (
            <OutlineRow key={node.id} node={node} />
          ) : (
            <LockedRow key={node.id} node={node} />
          ),
        )}
      </ul>
      {takesBlocks.value && (
        <div class="pad">
          <Button needs="edit" onClick={() => (adding.value = { after: placeToAdd() })}>
            + Add a block
          </Button>
        </div>
      )}
    </section>
  )
}

/** Before the page has arrived, and where there is none. */
function NoPage() {
  if (!isMissing.value) return <div class="skeleton pad" aria-busy="true" />
  return <p class="soft pad">{whyNoPage()}</p>
}
