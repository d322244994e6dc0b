/** What follows on `we no longer need the banner`. */
export const itGoes = '(, | ; | . | and | so | @dash) [@filler] (@remove it [@anymore] | take it @away | it (can | must | has to) go | it @mustBe @removed)'
