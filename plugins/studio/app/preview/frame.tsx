import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { names } from '../stores/block-types.ts'
import { plannedBlocks } from '../stores/chat-plan.ts'
import { blocks, slug, takesBlocks } from '../stores/draft.ts'
import { hasNoPages } from '../stores/editor-routes.ts'
import { pointedAt, selected, type Selected } from '../stores/selection.ts'
import { site, sites } from '../stores/site.ts'
import { adding, mode, pagesOpen, shows, side, width } from '../stores/ui.ts'
import { draftAddress } from './address.ts'
import { entered, entry, followEntry } from './entry.ts'
import { connect, connection, expectPage, hasFocus, post, sandbox } from './channel.ts'
import { fitted, styleOf } from './fitted.ts'
import { followFraming, liveFraming, noteDraftLoaded } from './framing.ts'
import { hear, isEditedInFrame, isOwnSelection, shown } from './hear.ts'
import { Divider, Live, LiveElsewhere } from './live.tsx'
import { isLoopback, permission } from './loopback.ts'
import { isPhone } from '../stores/widths.ts'
import { followChanges } from './changes.ts'
import { isEmpty, Trouble } from './trouble.tsx'
import { useSize } from './use-size.ts'

/** The page as it really is, in its frame; without a website, how to connect one. */
export function Preview() {
  if (sites.value === undefined) return <div class="stage skeleton" aria-busy="true" />
  return site.value?.previewUrl === undefined ? <NoSite /> : <PageFrame />
}

function PageFrame() {
  const element = useRef<HTMLIFrameElement>(null)
  const [split, setSplit] = useState(50)
  const room = useRef<HTMLDivElement>(null)
  const size = useSize(room)
  useEffect(() => (element.current ? connect(element.current, hear) : undefined), [])
  useEffect(followFraming, [])
  useEffect(followEntry, [])
  /** The draft that the frame was loaded for. */
  const loaded = useRef('')
  const load = (address: string): void => {
    if (!element.current) return
    expectPage()
    element.current.src = address
  }
  useEffect(() => {
    let last = entry.peek()
    return effect(() => {
      const now = entry.value
      const address = draftAddress(slug.value)
      // A page that has moved stays until the text that is typed in it is left.
      const isHeld = isEditedInFrame.value && hasFocus()
      if (address === undefined || isHeld) return
      // The page itself may have gone there already.
      const isThere = shown.peek() === slug.value && connection.peek().state === 'connected'
      const isComing = now === last && element.current?.src === address
      if (isComing && connection.peek().state === 'waiting') return
      const secret = now === last ? undefined : now?.secret
      if (!isThere || loaded.current !== entered.value) load(address)
      else if (secret !== undefined && now?.way === 'cookie') takeCookie(address, element.current?.allow)
      else if (secret !== undefined) post('renew', { secret })
      loaded.current = entered.value
      last = now
    })
  }, [])
  useSent(() => {
    const chosen = selected.value
    const next = pointedAt.value === undefined ? chosen : { blockId: pointedAt.value }
    if (!isOwnSelection()) mark(next)
  })
  // A sheet, or the keyboard of a phone, must not cover what it is about.
  useEffect(() => {
    if (isPhone.value && connection.peek().state === 'connected' && selected.peek()) mark(selected.peek())
  }, [size.height])
  // A phone shows the page as wide as it is.
  const shape = fitted(size, isPhone.value ? undefined : width.value)
  const { factor } = shape
  useEffect(followChanges, [])
  useSent(() => post('setSelectionMode', { enabled: mode.value === 'edit' }))
  useSent(() => post('markPlanned', { blockIds: side.value === 'chat' ? plannedBlocks.value : [] }))
  useSent(() => post('setNames', { names: names.value }))
  useSent(() => post('setScale', { factor }), [factor])
  const style = styleOf(shape)
  const hasLive = shows.value !== 'draft' && liveFraming.value?.state === 'allowed'
  return (
    <div class="stage">
      {shows.value === 'published' ? null : (
        <Trouble onReload={() => load(draftAddress(slug.value) ?? element.current?.src ?? '')} />
      )}
      {shows.value !== 'draft' && liveFraming.value && !hasLive && <LiveElsewhere />}
      {!isPhone.value && !isEmpty() && (
        <small class="factor">
          {shape.width > 0 && `${shape.width} px wide, shown at ${Math.round(factor * 100)} %`}
        </small>
      )}
      <div class="room" ref={room}>
        <iframe
          ref={element}
          class="frame"
          title="The page as it is now"
          sandbox={sandbox}
          onLoad={noteDraftLoaded}
          hidden={isEmpty()}
          inert={shows.value === 'published'}
          style={style}
          {...(isLoopback(site.value?.previewUrl) && permission)}
        />
        {hasLive && <Live from={shows.value === 'both' ? split : 0} style={style} />}
        {hasLive && shows.value === 'both' && (
          <Divider
            at={split}
            onMove={setSplit}
            style={{ left: style.left, width: `${shape.width * factor}px` }}
          />
        )}
        {shown.value === undefined && connection.value.state === 'waiting' && (
          <div class="skeleton" aria-busy="true" />
        )}
        {shows.value === 'draft' && <AddFirst />}
      </div>
    </div>
  )
}

/** Takes the cookie of a renewed entry in a frame beside, which goes again. */
function takeCookie(address: string, allow = ''): void {
  const beside = document.createElement('iframe')
  beside.hidden = true
  beside.sandbox.value = sandbox
  beside.allow = allow
  beside.src = address
  beside.addEventListener('load', () => beside.remove())
  document.body.append(beside)
}

/** Tells the page something now, whenever it changes, and each new document in the frame. */
const useSent = (send: () => void, of: readonly unknown[] = []): void =>
  useEffect(
    () =>
      effect(() => {
        if (connection.value.state === 'connected') send()
      }),
    of,
  )

/** Where a site without pages, or a page without blocks, is blank. */
function AddFirst() {
  const isBlank = takesBlocks.value && blocks.value.length === 0 && connection.value.state === 'connected'
  const isEmptySite = hasNoPages.value && connection.value.state !== 'waiting'
  if (!isBlank && !isEmptySite) return null
  const [text, open] = isEmptySite
    ? ['+ New page', () => void (pagesOpen.value = 'new')]
    : ['+ Add a block', () => void (adding.value = { after: undefined })]
  return (
    <div class="add-first">
      {isEmptySite && <p>The site has no pages yet. Add the first one.</p>}
      <Button variant="main" needs="edit" onClick={open}>
        {text}
      </Button>
    </div>
  )
}

/** Marks what is selected in the page, and scrolls to it. */
const mark = (chosen: Selected | undefined): void =>
  post('highlightBlock', {
    blockId: chosen?.blockId ?? null,
    editablePath: chosen?.path ?? null,
    scrollIntoView: true,
  })

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
