import { test as setup, expect } from "@playwright/test";

const file = "playwright/.auth/user.json";

setup("log in", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(process.env.E2E_USER!);
  await page.getByLabel("Password").fill(process.env.E2E_PASSWORD!);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByTestId("avatar")).toBeVisible();
  await page.context().storageState({ path: file });
});
