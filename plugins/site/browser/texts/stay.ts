/** Delays reloads of a page while a person types in it. */

/** The interval of the checks; the page is loaded again after two without typing. */
const eachMs = 400

/**
 * Delays a reload that a development server asks for until the person stops typing. Returns a function to call when
 * typing begins, which stops a reload under way. A browser without the Navigation API reloads at once.
 */
export function holdReloads(isHeld: () => boolean, signal: AbortSignal): () => void {
  let isUnderWay = false
  let timer: ReturnType<typeof setInterval> | undefined

  const hold = (): void => {
    let left = 0
    timer ??= setInterval(() => {
      left = isHeld() ? 0 : left + 1
      if (left < 2) return
      clearInterval(timer)
      timer = undefined
      location.reload()
    }, eachMs)
  }
  const navigation: Navigation | undefined = window.navigation
  navigation?.addEventListener(
    'navigate',
    (event) => {
      if (event.navigationType !== 'reload') return
      isUnderWay = !isHeld()
      if (isUnderWay) return
      event.preventDefault()
      hold()
    },
    { signal },
  )
  signal.addEventListener('abort', () => clearInterval(timer))
  return () => {
    if (!isUnderWay) return
    isUnderWay = false
    window.stop()
    hold()
  }
}
