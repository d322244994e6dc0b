/** Keeps a file that is dropped beside its place from taking the place of the studio. */
export function holdDrops(): void {
  const hold = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  document.addEventListener('dragover', hold)
  document.addEventListener('drop', hold)
}
