import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { newRow, typeOf } from '../stores/block-types.ts'
import { draftId, site, sites } from '../stores/site.ts'
import { openPage, slug } from '../stores/draft.ts'
import { select, selected } from '../stores/selection.ts'
import {
  addableTypes,
  changeRows,
  moveAfter,
  remove,
  setField,
  takeStep,
  type RowChange,
} from '../edit/intents.ts'
import { adding, mode, palette, shows, width } from '../stores/ui.ts'
import { connect, connection, expectPage, post, type FrameMessage } from './channel.ts'

const pixels = { phone: 390, tablet: 820, desktop: undefined } as const

function addressOf(path: string): string | undefined {
  const previewUrl = site.value?.previewUrl
  const url = previewUrl === undefined ? null : URL.parse(path, previewUrl)
  if (!url) return undefined
  if (shows.value === 'published') return url.href
  const context = { ...draftId.value, editorOrigin: location.origin, __editor: '1' }
  for (const [name, value] of Object.entries(context)) url.searchParams.set(name, value)
  return url.href
}

/** The page as it really is, in its frame; without a website, how to connect one. */
export function Preview() {
  if (sites.value === undefined) return <div class="stage skeleton" aria-busy="true" />
  return site.value?.previewUrl === undefined ? <NoSite /> : <PageFrame />
}

function PageFrame() {
  const element = useRef<HTMLIFrameElement>(null)
  useEffect(() => (element.current ? connect(element.current, hear) : undefined), [])
  useEffect(
    () =>
      effect(() => {
        const address = addressOf(slug.value)
        if (!element.current || address === undefined) return
        // The page itself may have gone there already.
        if (shownSlug === slug.value && connection.peek().state === 'connected' && shows.value === lastShown)
          return
        lastShown = shows.value
        expectPage()
        element.current.src = address
      }),
    [],
  )
  useEffect(
    () =>
      effect(() => {
        const { blockId, path } = selected.value ?? {}
        if (connection.value.state !== 'connected' || isOwnSelection) return
        post('highlightBlock', { blockId: blockId ?? null, editablePath: path ?? null, scrollIntoView: true })
      }),
    [],
  )
  useEffect(
    () =>
      effect(() => {
        if (connection.value.state === 'connected')
          post('setSelectionMode', { enabled: mode.value === 'edit' && shows.value === 'draft' })
      }),
    [],
  )
  const px = pixels[width.value]
  return (
    <div class="stage">
      <Trouble />
      <iframe
        ref={element}
        class="frame"
        title="The page as it is now"
        style={px === undefined ? undefined : { width: `${px}px` }}
        allow="local-network-access; loopback-network"
      />
    </div>
  )
}

let shownSlug: string | undefined
let lastShown: 'draft' | 'published' = 'draft'
/** True while the frame itself says what is selected, which it must not be told again. */
let isOwnSelection = false

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Carries out what the person did in the page. */
function hear({ type, payload }: FrameMessage): void {
  const blockId = text(payload['blockId'])
  const path = text(payload['editablePath'])
  const listKey = text(payload['listKey']) ?? ''
  const index = Number(payload['index'])
  const anchor = payload['afterIndex']
  const place = typeof anchor === 'number' ? { afterIndex: anchor } : {}
  const rows = (row: RowChange): void => void (blockId && changeRows(blockId, listKey, row))
  const actions: Readonly<Record<string, () => void>> = {
    routeChanged() {
      shownSlug = text(payload['slug']) ?? '/'
      post('setSelectionMode', { enabled: mode.value === 'edit' })
      if (shownSlug !== slug.value) void openPage(shownSlug)
    },
    blockClicked() {
      isOwnSelection = true
      select(blockId === undefined ? undefined : { blockId, path })
      isOwnSelection = false
    },
    blockReordered: () => void (blockId && moveAfter(blockId, text(payload['afterBlockId']))),
    blockDeleteRequested: () => void (blockId && remove(blockId)),
    blockAddRequested() {
      if (addableTypes().length > 0) adding.value = { after: text(payload['afterBlockId']) }
    },
    inlineTextCommitted: () =>
      void (
        blockId &&
        path !== undefined &&
        setField(blockId, path, payload['value'], path.split('.').at(-1) ?? path)
      ),
    listItemAddRequested: () =>
      rows({
        op: 'add_item',
        item: newRow(typeOf.value(text(payload['blockType']) ?? '')?.fields?.[listKey]),
        ...place,
      }),
    listItemRemoveRequested: () => rows({ op: 'remove_item', index }),
    listItemMoveRequested: () => rows({ op: 'move_item', index, ...place }),
    openImagePicker: () => blockId !== undefined && select({ blockId, path }),
    shortcut() {
      const name = payload['name']
      if (name === 'undo' || name === 'redo') void takeStep(name)
      else if (name === 'palette') palette.value = true
      else select(undefined)
    },
  }
  actions[type]?.()
}

const remedies: Readonly<Record<string, string>> = {
  not_let_in:
    'The site shows its published pages, because it did not let this editor in. DRAFT_MODE_SECRET must be the same here and there.',
  no_secret:
    'The site shows its published pages, because it has no DRAFT_MODE_SECRET. Set the same one here and there.',
  orchestrator_unreachable:
    'The site shows its published pages, because it cannot reach this service. Check its ORCHESTRATOR_URL.',
}

/** Says when the frame does not show the draft, and what to do. */
function Trouble() {
  const now = connection.value
  if (shows.value === 'published' || now.state === 'connected' || now.state === 'waiting') return null
  if (now.state === 'published')
    return (
      <p class="trouble" role="status">
        {remedies[now.reason]}
      </p>
    )
  return (
    <p class="trouble" role="status">
      The preview is not connected. The page may refuse to be framed, or have no script of the site SDK.{' '}
      <Button look="plain" onClick={() => location.reload()}>
        Reload
      </Button>
    </p>
  )
}

const NoSite = () => (
  <div class="stage">
    <div class="empty">
      <h2>No website yet</h2>
      <p>
        Run <code>npx content-orchestrator register</code> in the website, and load this page again.
      </p>
    </div>
  </div>
)
