/**
 * Says that a setting or feature needs an optional package that is not installed, with the line that installs
 * it.
 */
export const missingPackage = (by: string, name: string): string =>
  `${by} needs the package ${name}, which is not installed: run npm install ${name}, and start again`
