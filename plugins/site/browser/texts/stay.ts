/** Leaves a page as it is while a person types in it. */

/** How often is looked whether the text was left; the page is loaded again the second time. */
const eachMs = 400

/**
 * Holds a reload that a development server asks for until no text is typed any more. Returns what is called when
 * typing begins, which ends a reload under way. A browser without the Navigation API loads the page at once.
 */
export function holdReloads(isTyping: () => boolean, signal: AbortSignal): () => void {
  let isUnderWay = false
  let timer: ReturnType<typeof setInterval> | undefined

  const hold = (): void => {
    let left = 0
    timer ??= setInterval(() => {
      left = isTyping() ? 0 : left + 1
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
      isUnderWay = !isTyping()
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
