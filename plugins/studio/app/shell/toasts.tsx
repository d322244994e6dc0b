import { hold, resume, toast } from '../stores/toast.ts'

/** The latest message, with its undo. Its clock stops under the pointer and the focus. */
export function Toasts() {
  const { text, action } = toast.value ?? {}
  const run = (): void => {
    toast.value = undefined
    action?.run()
  }
  return (
    <div role="status" class="toasts">
      {text !== undefined && (
        <div class="toast" onMouseEnter={hold} onMouseLeave={resume} onFocusIn={hold} onFocusOut={resume}>
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
