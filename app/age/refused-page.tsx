/** What lies under the gate that has refused somebody: the gate itself says why. */
export default function RefusedPage() {
  return (
    <div className="error wrap">
      <h1>Age verification</h1>
      <p className="lede">This shop is for adults 21 and older.</p>
    </div>
  );
}
