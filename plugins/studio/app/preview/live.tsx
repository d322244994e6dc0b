import { useEffect, useRef } from 'preact/hooks'
import { published, slug } from '../stores/draft.ts'
import { site } from '../stores/site.ts'
import { liveAddress } from './address.ts'
import { post, protocol, sandbox } from './channel.ts'
import { liveFraming } from './framing.ts'
import { draftPlace } from './hear.ts'
import { isLoopback, permission } from './loopback.ts'

interface LiveProps {
  readonly style: Readonly<Record<string, string>>
  /** Where the live page begins, in percent of the width. */
  readonly from: number
}

/** What visitors see, in a frame over that of the draft: all of it, or the part after the slider. */
export function Live({ style, from }: LiveProps) {
  const element = useRef<HTMLIFrameElement>(null)
  useEffect(() => scrollTogether(() => element.current), [])
  return (
    <iframe
      ref={element}
      // A publish changes the page and not its address.
      key={published.value}
      class="frame live"
      title="The page that visitors see"
      sandbox={sandbox}

      src={liveAddress(slug.value, true)}
      style={{ ...style, clipPath: `inset(0 0 0 ${from}%)` }}
      {...(isLoopback(site.value?.previewUrl) && permission)}
    />
  )
}

/** Scrolls the live page with the draft, and the draft with it; a live page without the script of the site stays apart. */
function scrollTogether(frame: () => HTMLIFrameElement | null): () => void {
  const listen = ({ source, origin, data }: MessageEvent): void => {
    const live = frame()
    if (!live?.contentWindow || origin !== new URL(live.src).origin || data?.protocol !== protocol) return
    const isLive = source === live.contentWindow
    const place = data.type === 'pageScrolled' ? data.payload : isLive ? draftPlace() : undefined
    if (place === undefined) return
    if (isLive && data.type === 'pageScrolled') post('scrollPage', place)
    else live.contentWindow.postMessage({ protocol, type: 'scrollPage', payload: place }, origin)
  }
  window.addEventListener('message', listen)
  return () => window.removeEventListener('message', listen)
}

interface DividerProps {
  /** In percent of the width. */
  readonly at: number
  readonly onMove: (at: number) => void
  readonly style: Readonly<Record<string, string>>
}

/** The line between the draft and the live page, which is moved by its handle and by keys. */
export const Divider = ({ at, onMove, style }: DividerProps) => (
  <div class="divider" style={style}>
    <div style={{ left: `${at}%` }}>
      <span>Draft</span>
      <span>Published</span>
    </div>
    <input
      type="range"
      aria-label="How much of the draft is shown"
      value={at}
      onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
    />
  </div>
)

/** What is shown instead of a live page that refuses frames. */
export function LiveElsewhere() {
  const { state } = liveFraming.value ?? {}
  return (
    <div class="trouble" role="status">
      <p>
        {state === 'unreachable'
          ? 'The live page does not answer.'
          : 'The live page does not let itself be shown here.'}{' '}
        <a href={liveAddress(slug.value) ?? ''} target="_blank" rel="noreferrer">
          Open it in a new tab
        </a>
      </p>
    </div>
  )
}
