import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Faces, peopleSentence } from '../parts/faces.tsx'
import { Menu } from '../parts/menu.tsx'
import { isDocument, isUsedByCode, placeName } from '../stores/documents.ts'
import { othersIn } from '../stores/presence.ts'
import { pagesOpen } from '../stores/ui.ts'
import { isTouched } from '../stores/widths.ts'
import { copyPage, movePage, removePage } from './intents.ts'
import { openSettings } from './settings.ts'
import type { PageNode } from './tree.ts'

interface PageRowProps {
  readonly node: PageNode
  /** Whether the key Tab reaches this row first. */
  readonly isFirst: boolean
  readonly isShown: boolean
  /** Whether a publish would change it. */
  readonly isChanged: boolean
  readonly onOpen: (slug: string) => void
}

/** A page in the list. Its tools are there while it has the pointer or the focus. */
export function PageRow({ node, isFirst, isShown, isChanged, onOpen }: PageRowProps) {
  const { slug, title, level } = node
  const [isReached, reach] = useState(false)
  return (
    <li
      class="row"
      role="treeitem"
      data-page={slug}
      aria-label={[title, slug, isChanged && 'changed', peopleSentence(othersIn(slug), 'here')]
        .filter(Boolean)
        .join(', ')}
      aria-level={level}
      aria-selected={isShown}
      tabIndex={isFirst || isReached ? 0 : -1}
      style={level > 1 ? { paddingInlineStart: `${8 + 16 * Math.min(level - 1, 6)}px` } : undefined}
      onClick={() => onOpen(slug)}
      onPointerEnter={() => reach(true)}
      onPointerLeave={({ currentTarget }) => reach(currentTarget.contains(document.activeElement))}
      onFocusIn={() => reach(true)}
      onFocusOut={({ currentTarget, relatedTarget }) =>
        reach(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
      }
    >
      <span class="grow cut" dir="auto">
        {title} <small dir="ltr">{placeName(slug)}</small>
      </span>
      {(isReached || isTouched.value) && <Tools node={node} onOpen={onOpen} />}
      <Faces people={othersIn(slug)} />
      {isChanged && <span class="dot" title="Changed, not published" />}
    </li>
  )
}

interface UnreadableProps {
  readonly slug: string
  readonly reason: string
  readonly onDelete: () => void
}

/** A page of the site that cannot be read: it is there with the reason, and is not opened. */
export const UnreadableRow = ({ slug, reason, onDelete }: UnreadableProps) => (
  <li class="row unreadable" role="treeitem" aria-level={1} tabIndex={-1}>
    <span class="grow">
      <span dir="ltr">{slug}</span> <small>Cannot be read: {reason}</small>
    </span>
    <Button variant="plain" needs="publish" title={`Delete ${slug} from the site`} onClick={onDelete}>
      Delete
    </Button>
  </li>
)

function Tools({ node: { slug, title, blockCount }, onOpen }: Pick<PageRowProps, 'node' | 'onOpen'>) {
  const isHome = slug === '/'
  const count = blockCount === 1 ? '1 block' : `${blockCount} blocks`
  const items = [
    {
      text: 'Settings',
      hint: 'F2',
      run() {
        onOpen(slug)
        openSettings('page')
      },
    },
    ...(isDocument(slug)
      ? []
      : [
          { text: 'Move up', isDisabled: isHome, run: () => movePage(slug, -1) },
          { text: 'Move down', isDisabled: isHome, run: () => movePage(slug, 1) },
        ]),
    ...(isUsedByCode(slug)
      ? []
      : [
          {
            text: 'Copy',
            run() {
              pagesOpen.value = undefined
              void copyPage(slug)
            },
          },
          { text: `Delete with ${count}`, hint: '⌫', isDisabled: isHome, run: () => void removePage(slug) },
        ]),
  ]
  return (
    <span class="tools" onClick={(event) => event.stopPropagation()}>
      <Menu label={`More for ${title}`} items={items} />
    </span>
  )
}
