// What `--quick` tells as a rule on a shared machine of two cores: what it judges its figures by. To be set anew when the server changes its pace.

/**
 * By the figure's id. `--quick` is there for what makes the server slower for good, not for a machine that gives twice as much in one minute as in
 * the next: it fails where a figure is `margin` times worse than usual each time that it is measured. Both sides of a ratio are measured in turn, so
 * that in ten runs, most beside a compiler on the same cores, none was more than 1.6 times worse: 2.5 lets that through, and stops what became three
 * times slower. Where others take the cores by fits one was 2.9 times worse: that is what is measured again. Memory hardly scatters.
 */
export const usual = {
  orders: { usual: 0.2 },
  products: { usual: 0.4 },
  page: { usual: 1.1 },
  pages: { usual: 0.6 },
  fulfillment: { usual: 0.42 },
  start: { usual: 2.5 },
  inProcess: { usual: 1.2 },
  idle: { usual: 1.25, margin: 1.5 },
  synced: { usual: 0.65 },
};
