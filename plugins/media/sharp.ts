/** The package is optional; a start does not wait for it. Bundlers let an import in a `try` fail when it is run. */
export async function loadSharp() {
  try {
    return (await import('sharp')).default
  } catch {
    return undefined
  }
}
