/** Content for tests: by hand, and by chance. */
export * from './content-by-chance.ts'
export * from './content-fixtures.ts'
