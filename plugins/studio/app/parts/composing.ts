/** Whether a key belongs to an input method that composes a character. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
