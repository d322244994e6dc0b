import { useLayoutEffect, useRef } from 'preact/hooks'
import { dismiss, hold, resume, toast } from '../stores/toast.ts'

/** The latest message, with its undo. Its clock stops under the pointer and the focus; styles know its height. */
export function Toasts() {
  const { text, action } = toast.value ?? {}
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--message', `${box.current?.offsetHeight ?? 0}px`)
  }, [text, action])
  const run = (): void => {
    dismiss()
    action?.run()
  }
  const leave = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    if (!currentTarget.matches(':hover, :focus-within')) resume()
  }
  return (
    <div ref={box} role="status" class="toasts">
      {text !== undefined && (
        <div
          class="toast"
          onMouseEnter={hold}
          onFocusIn={hold}
          onMouseLeave={leave}
          // The focus has not left yet while this event is handled.
          onFocusOut={({ currentTarget }) => requestAnimationFrame(() => leave({ currentTarget }))}
        >
          {text}
          {action && (
            <button type="button" onClick={run}>
              {action.text}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
