import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Bound } from '../field.ts'
import { dirOf } from '../direction.ts'
import { newState, openEditor, type Command, type EditorView, type Status } from './editor.ts'
import { openText, type Format, type RichText } from './format.ts'
import { html } from './html.ts'
import { LinkDialog } from './link-dialog.tsx'
import { markdown } from './markdown.ts'
import { Toolbar } from './toolbar.tsx'

const formats = { richtext: markdown, html } as const satisfies Readonly<Record<string, Format>>

/** Whether the editor knows everything that a text contains. */
export const canEdit = (kind: keyof typeof formats, text: string): boolean =>
  openText(formats[kind], text) !== undefined

interface RichEditorProps {
  readonly kind: keyof typeof formats
  readonly bound: Bound<string>
  /** Called when a text from elsewhere has more than the editor knows. */
  readonly onUnknown: () => void
}

const atRest: Status = {
  strong: false,
  em: false,
  bullets: false,
  numbers: false,
  level: 0,
  hasWords: false,
  href: undefined,
}

/** Edits rich text. While it has the caret, nothing else writes it. */
export function RichEditor({ kind, bound, onUnknown }: RichEditorProps) {
  const { value, id } = bound
  const element = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const opened = useRef<RichText | undefined>(undefined)
  /** The text that the editor shows. */
  const shown = useRef(value)
  const latest = useRef(bound)
  latest.current = bound
  const [status, setStatus] = useState(atRest)
  const [isLinking, setLinking] = useState(false)
  const link = (): boolean => {
    const hasWords = view.current?.state.selection.empty === false
    if (hasWords) setLinking(true)
    return hasWords
  }

  useLayoutEffect(() => {
    const text = openText(formats[kind], value)
    if (!element.current || !text) return undefined
    opened.current = text
    shown.current = value
    view.current = openEditor(element.current, {
      doc: text.doc,
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-name`,
        'aria-describedby': `${id}-hint`,
      },
      onChange: (doc) => {
        shown.current = opened.current?.textOf(doc) ?? ''
        latest.current.type(shown.current)
      },
      onStatus: setStatus,
      onLink: link,
      onFocus: () => latest.current.focus.onFocus(),
      onBlur: () => latest.current.focus.onBlur(),
    })
    return () => view.current?.destroy()
  }, [kind, id])

  // At once: after the next key, this value would be an old one.
  useLayoutEffect(() => {
    if (value === shown.current) return
    const text = openText(formats[kind], value)
    if (!text) return onUnknown()
    opened.current = text
    shown.current = value
    view.current?.updateState(newState(text.doc, link))
  }, [value])

  const run = (command: Command): void => {
    const { current } = view
    if (!current) return
    current.focus()
    command(current.state, current.dispatch)
  }
  return (
    <div class="rich" dir={dirOf(value)}>
      <Toolbar status={status} label={`${id}-name`} run={run} onLink={link} />
      <div ref={element} />
      {isLinking && <LinkDialog href={status.href} run={run} onClose={() => setLinking(false)} />}
    </div>
  )
}
