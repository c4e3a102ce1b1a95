// Generated from the server's types by `make generate`. Do not edit.

export interface paths {
    "/api/admin/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/attention` */
        get: operations["get_api_admin_attention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/audit.csv` */
        get: operations["get_api_admin_audit_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/audit/chain` */
        get: operations["get_api_admin_audit_chain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orders/{number}/shipment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/orders/{number}/shipment` */
        post: operations["post_api_admin_orders_number_shipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reports/deliveries.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/reports/deliveries.csv` */
        get: operations["get_api_admin_reports_deliveries_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/admin/search?q=` */
        get: operations["get_api_admin_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/company` */
        put: operations["put_api_admin_settings_company"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/classes/{class}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/compliance/classes/{class}` */
        put: operations["put_api_admin_settings_compliance_classes_class"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/compliance/rules` */
        post: operations["post_api_admin_settings_compliance_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/rules/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/compliance/rules/{id}/end` */
        post: operations["post_api_admin_settings_compliance_rules_id_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/compliance/rules/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/compliance/rules/{id}/withdraw` */
        post: operations["post_api_admin_settings_compliance_rules_id_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/discard` */
        post: operations["post_api_admin_settings_legal_document_discard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/legal/{document}/draft` */
        put: operations["put_api_admin_settings_legal_document_draft"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/preview` */
        post: operations["post_api_admin_settings_legal_document_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/publish` */
        post: operations["post_api_admin_settings_legal_document_publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/legal/{document}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/legal/{document}/restore` */
        post: operations["post_api_admin_settings_legal_document_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/mail/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/mail/{kind}` */
        put: operations["put_api_admin_settings_mail_kind"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/mail/{kind}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/mail/{kind}/preview` */
        post: operations["post_api_admin_settings_mail_kind_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/promotions` */
        post: operations["post_api_admin_settings_promotions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/promotions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/promotions/{id}` */
        put: operations["put_api_admin_settings_promotions_id"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/shipping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** `PUT /api/admin/settings/shipping` */
        put: operations["put_api_admin_settings_shipping"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/counties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/counties` */
        post: operations["post_api_admin_settings_tax_counties"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/rates` */
        post: operations["post_api_admin_settings_tax_rates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/rates/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/rates/{id}/end` */
        post: operations["post_api_admin_settings_tax_rates_id_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/tax/rates/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/settings/tax/rates/{id}/withdraw` */
        post: operations["post_api_admin_settings_tax_rates_id_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/admin/views` */
        post: operations["post_api_admin_views"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/admin/views/{id}` */
        delete: operations["delete_api_admin_views_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/cart` */
        get: operations["get_api_cart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/cart/sync` */
        post: operations["post_api_cart_sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/{checkout_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/checkout/{checkout_id}` */
        get: operations["get_api_checkout_checkout_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/checkout/pay` */
        post: operations["post_api_checkout_pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/checkout/quote` */
        post: operations["post_api_checkout_quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/client-errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/client-errors` */
        post: operations["post_api_client_errors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/me` */
        get: operations["get_api_me"];
        put?: never;
        post?: never;
        /** `DELETE /api/me` */
        delete: operations["delete_api_me"];
        options?: never;
        head?: never;
        /** `PATCH /api/me` */
        patch: operations["patch_api_me"];
        trace?: never;
    };
    "/api/me/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * `POST /api/me/activity`
         * @description Takes JSON, under its own content type or as `text/plain`: a beacon can set no header, and plain text is what it may send
         *     to another origin without asking first.
         */
        post: operations["post_api_me_activity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/me/addresses` */
        post: operations["post_api_me_addresses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/me/addresses/{id}` */
        delete: operations["delete_api_me_addresses_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/me/export` */
        get: operations["get_api_me_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** `PATCH /api/me/preferences` */
        patch: operations["patch_api_me_preferences"];
        trace?: never;
    };
    "/api/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/me/sessions` */
        get: operations["get_api_me_sessions"];
        put?: never;
        post?: never;
        /** `DELETE /api/me/sessions` */
        delete: operations["delete_api_me_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** `DELETE /api/me/sessions/{id}` */
        delete: operations["delete_api_me_sessions_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** `GET /api/search/suggest?q=` */
        get: operations["get_api_search_suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify-age": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** `POST /api/verify-age` */
        post: operations["post_api_verify_age"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountDeletedMail: {
            name: string;
        };
        /** @description Props of the account page. */
        AccountPage: {
            me: components["schemas"]["Me"];
            /** @description The newest first. */
            orders: components["schemas"]["OrderView"][];
            sessions: components["schemas"]["SessionView"][];
        };
        /** @description One thing that a visitor did. Which fields it needs depends on its type; unknown fields are ignored. */
        ActivityEvent: {
            /** @description A cart_action needs `add`, `remove` or `quantity`, a search its text of at least 3 characters. */
            action?: string | null;
            /** @description A feature_usage needs it; a cart_action may name the item's sku here. */
            feature?: string | null;
            /** @description Path of the page, without a query. A page_view needs it. */
            page?: string | null;
            /**
             * Format: int64
             * @description Seconds. A session_activity needs it.
             */
            session_duration?: number | null;
            /**
             * Format: uuid
             * @description A random id that lasts as long as the browser's tab.
             */
            session_id?: string | null;
            /** @description ISO 8601; now when absent. */
            timestamp?: string | null;
            type: components["schemas"]["ActivityType"];
        };
        /** @description What is sent: one event, or some at once. */
        ActivityReport: {
            /** @description At most 50. */
            events: components["schemas"]["ActivityEvent"][];
        } | components["schemas"]["ActivityEvent"];
        ActivityTaken: {
            /** @description Events that will be kept; none for a visitor who does not want to be counted. */
            accepted: number;
        };
        /** @enum {string} */
        ActivityType: "page_view" | "feature_usage" | "session_activity" | "cart_action" | "search" | "profile_view";
        /** @description Where something is sent. */
        Address: {
            /** @default  */
            city: string;
            /** @default  */
            company: string;
            /** @default  */
            first_name: string;
            /** @default  */
            last_name: string;
            /** @default  */
            line1: string;
            /** @default  */
            line2: string;
            /** @default  */
            phone: string;
            /** @default  */
            postal_code: string;
            /** @default  */
            state: string;
        };
        AddressView: {
            city: string;
            company: string;
            first_name: string;
            /** Format: uuid */
            id: string;
            is_default: boolean;
            last_name: string;
            line1: string;
            line2: string;
            phone: string;
            postal_code: string;
            state: string;
        };
        /** @description That a user's declared age was accepted; never the birth date. Times are UTC milliseconds. */
        AgeProof: {
            /** Format: int64 */
            expires_at: number;
            /** @description Two-letter code of the state that the user named. */
            preferred_state: string | null;
            /** Format: int64 */
            verified_at: number;
        };
        /** @description Props of the page that a refused form gets. */
        AgeRefusedPage: {
            error: string;
            return_to: string;
        };
        AgeVerified: {
            verified: boolean;
        };
        /** @description What staff have to look at. */
        Attention: {
            dead_jobs: components["schemas"]["DeadJob"][];
            orders: components["schemas"]["OrderAttention"][];
        };
        AuditEntry: {
            action: string;
            /** @description Empty when the account is deleted. */
            actor: string;
            after: unknown;
            /** @description In the shop's time zone, `2026-11-21T12:00:05`. */
            at: string;
            /** @description The fields that differ, as JSON objects. */
            before: unknown;
            /** @description Network and device. */
            from: string;
            /** @description Where the thing is, if there is a page of it. */
            href: string | null;
            kind: string;
            label: string;
            role: string;
            /** Format: int64 */
            seq: number;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            list: components["schemas"]["ListView"];
        };
        /**
         * @description What a shopper may expect of the stock.
         * @enum {string}
         */
        Availability: "in_stock" | "low_stock" | "out_of_stock";
        /** @enum {string} */
        Badge: "new" | "sale";
        Beacon: {
            site: string;
            token: string;
        };
        BuildMeta: {
            id: string;
            pages: {
                [key: string]: {
                    css: string[];
                    js: string[];
                };
            };
            /** Format: int64 */
            timestamp: number;
        };
        /** @description An order will not be carried out. */
        CanceledMail: {
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            reason: components["schemas"]["CancelReason"];
            refund: components["schemas"]["Money"] | null;
        };
        /** @enum {string} */
        CancelReason: "customer" | "shop" | "out_of_stock" | "expired";
        /** @description A cart of a signed-in shopper. */
        Cart: {
            changes: components["schemas"]["CartChange"][];
            items: components["schemas"]["CartLine"][];
            promo_code: string | null;
            /**
             * Format: int64
             * @description UTC milliseconds; grows with every change.
             */
            updated_at: number;
        };
        /** @description What is no longer as the shopper saw it. */
        CartChange: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["ChangeKind"];
            /** @description In human words, the product's name included. */
            message: string;
        };
        /** @description One line as a device knows it. Other fields may be sent along and are ignored. */
        CartItem: {
            /**
             * Format: uuid
             * @description The variant's id.
             */
            id: string;
            /**
             * Format: int64
             * @description What the shopper saw, in minor units.
             */
            price?: number | null;
            /** Format: int64 */
            qty: number;
            /** @description Put aside for later. */
            saved?: boolean;
        };
        /** @description A line as the server tells it. */
        CartLine: {
            availability: components["schemas"]["Availability"];
            /** Format: int64 */
            compare_at_price: number | null;
            href: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description How many can be bought; nothing when it is sold out.
             */
            max_quantity: number;
            picture: components["schemas"]["Picture"];
            /**
             * Format: int64
             * @description Minor units, of this moment.
             */
            price: number;
            /** Format: int64 */
            qty: number;
            saved: boolean;
            sku: string;
            title: string;
            variant: string;
        };
        /** @description Nothing: the contents come from the browser's storage. */
        CartPage: Record<string, never>;
        CartSync: {
            /** @description The items that the server told this device last; left out for a guest's cart. */
            base?: components["schemas"]["CartItem"][] | null;
            /** @description All that the device has in its cart. */
            items: components["schemas"]["CartItem"][];
            promo_code?: string | null;
        };
        /** @description A category as an invitation to enter it. */
        CategoryCard: {
            /** @description Products in it and below it. */
            count: number;
            description: string;
            href: string;
            name: string;
            picture: components["schemas"]["Picture"] | null;
        };
        /** @description Whether every entry is there as it was written. */
        ChainView: {
            /** @description The last hash, in hexadecimal: what it was yesterday stands in yesterday's log of the server. */
            head: string | null;
            is_sound: boolean;
            /**
             * Format: int64
             * @description How many entries there are; of a broken chain, the number of the first that is not as it was.
             */
            seq: number;
        };
        /** @enum {string} */
        ChangeKind: "price_changed" | "not_enough_stock" | "sold_out" | "unavailable";
        /** @description Props of the checkout. The goods come from the browser's cart. */
        CheckoutPage: {
            square: components["schemas"]["SquareView"] | null;
            states: components["schemas"]["StateView"][];
            /** @description Where goods are picked up. */
            store_address: string;
        };
        CheckoutStatus: {
            /** @description The confirmation's page. */
            href: string | null;
            number: string | null;
            /** @description `placed`, or `pending` while nobody knows whether the payment went through. */
            status: string;
        };
        ClassReporting: {
            is_reported: boolean;
            /**
             * Format: int64
             * @description Of the compliance settings, as the caller saw them.
             */
            version: number;
        };
        /** @description An uncaught error of the browser app. */
        ClientError: {
            build?: string;
            /** @description What caught it, such as `mount` or `unhandledrejection`. */
            kind?: string;
            message: string;
            stack?: string;
            /** @description Path of the page. */
            url?: string;
        };
        Colour: {
            hex: string;
            label: string;
        };
        ColumnView: {
            is_number: boolean;
            is_shown: boolean;
            label: string;
            name: string;
            /** @description Sorts by it, or the other way round. */
            sort_href: string | null;
            sorted: components["schemas"]["Sorted"] | null;
        };
        CompanyChange: {
            /** @description An empty text is the environment's. */
            texts: components["schemas"]["CompanyOverrides"];
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        /** @description What staff say instead of what the environment says; an empty text says nothing. */
        CompanyOverrides: {
            /** @default  */
            address: string;
            /** @default  */
            email: string;
            /** @default  */
            legal_line: string;
            /** @default  */
            name: string;
            /** @default  */
            phone: string;
        };
        CompanySettingsPage: {
            /** @description What the environment says where a text is empty. */
            defaults: components["schemas"]["CompanyTexts"];
            /** @description What only the environment sets: state, county and time zone. */
            place: string;
            texts: components["schemas"]["CompanyOverrides"];
            /** Format: int64 */
            version: number;
        };
        /** @description Who runs the shop, as pages, letters and legal texts say it. */
        CompanyTexts: {
            address: string;
            email: string;
            /** @description The line with the licence that stands under the age gate and every page. */
            legal_line: string;
            name: string;
            phone: string;
        };
        CompanyView: {
            address: string;
            email: string;
            legal_line: string;
            name: string;
            phone: string;
        };
        /** @description A class of goods. */
        ComplianceClassView: {
            code: string;
            /** @description Deliveries of it are written down for the states' reports. */
            is_reported: boolean;
            name: string;
            /**
             * Format: int64
             * @description Active products of the class.
             */
            products: number;
        };
        ComplianceSettingsPage: {
            classes: components["schemas"]["ComplianceClassView"][];
            /** @description By class and state, the newest first. */
            rules: components["schemas"]["RuleView"][];
            /** @description In the shop's time zone, `YYYY-MM-DD`. */
            today: string;
            /** Format: int64 */
            version: number;
        };
        /** @description Props of an order's page, for whoever has its token. */
        ConfirmationPage: {
            order: components["schemas"]["OrderView"];
            /** @description Where to pick it up. */
            store_address: string;
        };
        /** @description Counties as CSV; what the file has of a state replaces all that was known of that state. */
        CountiesInput: {
            /** @description Columns `state,postal_code,county`. */
            csv: string;
            /** @description Tells what would change and changes nothing. */
            dry_run: boolean;
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        /** @description What a file of counties changes. */
        CountiesReport: {
            /** Format: int64 */
            added: number;
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            lines: number;
            /** @description What is wrong, by line; nothing is changed as long as there is any. */
            problems: components["schemas"]["LineProblem"][];
            /** Format: int64 */
            removed: number;
            states: string[];
        };
        CountyCount: {
            state: string;
            /** Format: int64 */
            zip_codes: number;
        };
        /** @description A job that failed for the last time. */
        DeadJob: {
            /** Format: int64 */
            attempts: number;
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            died_at: number;
            error: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        DeleteAccount: {
            /** @description The account's mail address, typed again. */
            confirm: string;
        };
        /** @description A named value of a details table. */
        Detail: {
            label: string;
            value: string;
        };
        DraftVersion: {
            /**
             * Format: int64
             * @description Of the draft that the caller saw.
             */
            version: number;
        };
        EditionView: {
            effective_from: string;
            is_in_force: boolean;
            /**
             * Format: int64
             * @description 0 is the one that the program brings along.
             */
            number: number;
            /** @description In the shop's time zone; none for the built-in one. */
            published_at: string | null;
            published_by: string | null;
            title: string;
        };
        /** @description Ends something on a day, or takes back what has not begun. */
        EndInput: {
            /** @description The first day on which it no longer holds, `YYYY-MM-DD`. */
            valid_until: string;
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        /** @description A page with all that the browser needs to show it. */
        Envelope: {
            meta: components["schemas"]["Meta"];
            /** @description Key of `app/pages.ts`. */
            page: string;
            props: unknown;
            shared: components["schemas"]["Shared"];
            /** Format: int32 */
            status: number;
            /** @description Path and normalised query. */
            url: string;
        };
        /** @description Props of the error page. */
        ErrorPage: {
            message: string;
            /** Format: int32 */
            status: number;
        };
        /** @description A tax on goods of a class alone: a part of what is paid for them, an amount for each, or both. */
        Excise: {
            /**
             * @description As buyers read it, such as `Ohio other tobacco products tax`; empty for none.
             * @default
             */
            name: string;
            /**
             * Format: int64
             * @description Minor units for each piece.
             * @default 0
             */
            per_unit: number;
            /**
             * Format: int64
             * @description Parts per million of the price after discounts.
             * @default 0
             */
            ppm: number;
        };
        Facet: {
            /** @description The query parameter. */
            key: string;
            label: string;
            options: components["schemas"]["FacetOption"][];
        };
        FacetOption: {
            /** Format: int64 */
            count: number;
            hex: string | null;
            /** @description The list with this option switched. */
            href: string;
            label: string;
            selected: boolean;
            value: string;
        };
        FeaturedCollection: {
            description: string;
            items: components["schemas"]["ProductCard"][];
            title: string;
        };
        FilterOption: {
            is_on: boolean;
            label: string;
            value: string;
        };
        FilterView: {
            /** @description `YYYY-MM-DD`. */
            from: string | null;
            /** @description It takes days, as `{name}_from` and `{name}_to`. */
            is_days: boolean;
            label: string;
            name: string;
            options: components["schemas"]["FilterOption"][];
            to: string | null;
        };
        Found: {
            customers: components["schemas"]["FoundItem"][];
            orders: components["schemas"]["FoundItem"][];
            products: components["schemas"]["FoundItem"][];
        };
        FoundItem: {
            detail: string;
            href: string;
            label: string;
        };
        /** @enum {string} */
        FulfillmentStatus: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "delivered" | "canceled";
        /** @description The first product of the first collection, large. */
        Hero: {
            picture: components["schemas"]["Picture"] | null;
            product: components["schemas"]["Link"] | null;
        };
        HomePage: {
            categories: components["schemas"]["CategoryCard"][];
            featured: components["schemas"]["FeaturedCollection"] | null;
            hero: components["schemas"]["Hero"];
            new_arrivals: components["schemas"]["ProductCard"][];
            on_sale: components["schemas"]["ProductCard"][];
        };
        LatestBuild: {
            id: string;
            /**
             * Format: int64
             * @description When this process began to serve it, UTC milliseconds.
             */
            timestamp: number;
        };
        LegalPage: {
            /** @description All legal documents. */
            documents: components["schemas"]["Link"][];
            /** @description From our own Markdown. */
            html: string;
            title: string;
            toc: components["schemas"]["TocEntry"][];
            /** @description `YYYY-MM-DD` */
            updated: string;
        };
        LegalSettingsPage: {
            body: string;
            /** @description Every document, by its place here. */
            documents: components["schemas"]["Link"][];
            /**
             * Format: int64
             * @description Of the draft; 0 when there is none.
             */
            draft_version: number;
            /** @description The newest first. */
            editions: components["schemas"]["EditionView"][];
            /** @description Where shoppers read it. */
            href: string;
            slug: string;
            /** @description What is being written, or the text in force. */
            title: string;
            /** @description In the shop's time zone, `YYYY-MM-DD`. */
            today: string;
        };
        /** @description What an isolate needs to word a mail. */
        Letter: {
            company: components["schemas"]["CompanyView"];
            demo: boolean;
            mail: components["schemas"]["Mail"];
            /** @description Without a trailing slash. */
            origin: string;
            words: components["schemas"]["MailWords"];
        };
        /** @description A letter as its reader gets it. */
        LetterPreview: {
            subject: string;
            /** @description The part that every program can show. */
            text: string;
        };
        LineProblem: {
            /** Format: int64 */
            line: number;
            message: string;
        };
        Link: {
            href: string;
            label: string;
        };
        /** @description Props of a list: all products, a search, or a category. */
        ListPage: {
            /** @description Where the filter form sends its values. */
            action: string;
            /** @description Filters in force; following one's address removes it. */
            active: components["schemas"]["Link"][];
            breadcrumbs: components["schemas"]["Link"][];
            children: components["schemas"]["CategoryCard"][];
            clear_href: string;
            description: string;
            did_you_mean: components["schemas"]["Link"] | null;
            facets: components["schemas"]["Facet"][];
            heading: string;
            items: components["schemas"]["ProductCard"][];
            next_href: string | null;
            page_count: number;
            pages: components["schemas"]["PageLink"][];
            prev_href: string | null;
            price: components["schemas"]["PriceRange"];
            query: components["schemas"]["ListState"];
            sorts: components["schemas"]["SortOption"][];
            total: number;
        };
        ListState: {
            /** @description From 1. */
            page: number;
            q: string;
            sort: string;
        };
        /** @description A list without its rows. */
        ListView: {
            columns: components["schemas"]["ColumnView"][];
            filters: components["schemas"]["FilterView"][];
            has_chosen_columns: boolean;
            /** @description False when there are more rows than are counted. */
            is_counted_up: boolean;
            is_filtered: boolean;
            next: string | null;
            path: string;
            previous: string | null;
            q: string;
            /** @description All of the address but the place: what a view saves and an export takes. */
            query: string;
            /** @description Column by which it is sorted, with a hyphen before it when descending. */
            sort: string;
            /** Format: int64 */
            total: number;
            views: components["schemas"]["SavedView"][];
        };
        /** @description A mail by its kind. */
        Mail: (components["schemas"]["OrderMail"] & {
            /** @enum {string} */
            kind: "order_confirmation";
        }) | (components["schemas"]["ShippedMail"] & {
            /** @enum {string} */
            kind: "order_shipped";
        }) | (components["schemas"]["RefundedMail"] & {
            /** @enum {string} */
            kind: "order_refunded";
        }) | (components["schemas"]["CanceledMail"] & {
            /** @enum {string} */
            kind: "order_canceled";
        }) | (components["schemas"]["WelcomeMail"] & {
            /** @enum {string} */
            kind: "welcome";
        }) | (components["schemas"]["NewSignInMail"] & {
            /** @enum {string} */
            kind: "new_sign_in";
        }) | (components["schemas"]["AccountDeletedMail"] & {
            /** @enum {string} */
            kind: "account_deleted";
        }) | (components["schemas"]["TestMail"] & {
            /** @enum {string} */
            kind: "test";
        });
        /** @description An amount with its name, such as a promo code or a county's tax. */
        MailAmount: {
            amount: components["schemas"]["Money"];
            label: string;
        };
        MailChange: {
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
            words: components["schemas"]["MailWords"];
        };
        MailKind: {
            label: string;
            value: string;
        };
        MailKindView: {
            kind: string;
            label: string;
            /** @description What may stand between double braces. */
            placeholders: string[];
            words: components["schemas"]["MailWords"];
        };
        /** @description Goods in a mail. */
        MailLine: {
            /** @description Of the whole line. */
            amount: components["schemas"]["Money"];
            /** Format: int64 */
            quantity: number;
            title: string;
            /** @description The variant's title; empty when the product has one variant only. */
            variant: string;
        };
        /** @description What became of a test mail. */
        MailOutcome: {
            accepted: boolean;
            /** @description The server's own words, or the message's id. */
            detail: string;
            message: string;
        };
        MailSettingsPage: {
            kinds: components["schemas"]["MailKindView"][];
            /** Format: int64 */
            version: number;
        };
        MailTotals: {
            /** @description Below zero. */
            discounts: components["schemas"]["MailAmount"][];
            shipping: components["schemas"]["Money"];
            subtotal: components["schemas"]["Money"];
            taxes: components["schemas"]["MailAmount"][];
            total: components["schemas"]["Money"];
        };
        /** @description What staff add to a kind of mail; an empty text adds nothing. `{{company}}`, `{{email}}` and what the kind has are filled in. */
        MailWords: {
            /** @default  */
            closing: string;
            /**
             * @description Paragraphs before what the mail says by itself, and after it.
             * @default
             */
            opening: string;
            /**
             * @description In the place of the built-in one.
             * @default
             */
            subject: string;
        };
        /** @description Who asks. */
        Me: {
            addresses: components["schemas"]["AddressView"][];
            age: components["schemas"]["AgeProof"] | null;
            email: string;
            email_verified: boolean;
            name: string;
            phone: string;
            preferences: components["schemas"]["Preferences"];
            role: components["schemas"]["Role"] | null;
            /** @description As the identity provider lists them. */
            roles: string[];
            /** @description The identity provider's name for the user. */
            sub: string;
        };
        MenuItem: {
            children: components["schemas"]["Link"][];
            href: string;
            label: string;
        };
        /** @description What search engines, link previews and the first paint need. */
        Meta: {
            /** @description The one address of this content, absolute once rendered. */
            canonical: string | null;
            description: string;
            /** @description Open Graph picture, absolute once rendered. */
            image: string | null;
            /** @description JSON-LD objects. */
            json_ld: unknown[];
            preload: components["schemas"]["Preload"] | null;
            /** @description For example `noindex, follow`. */
            robots: string | null;
            title: string;
        };
        Method: {
            by_air: boolean;
            /** @description Such as `ground`; orders keep it. */
            code: string;
            estimate: string;
            name: string;
            pickup: boolean;
            rates: components["schemas"]["ZoneRates"][];
            /**
             * Format: int64
             * @description Minor units on top for an adult's signature.
             */
            signature_fee: number;
            /** @description The weight classes: up to so many grams. */
            weights: number[];
        };
        /** @description An amount in the currency's minor unit (US cents). */
        Money: {
            /**
             * Format: int64
             * @description Minor units: 1299 is $12.99.
             */
            amount: number;
            /** @description ISO 4217 code. */
            currency: string;
        };
        /** @description What went to a state in a month. */
        MonthView: {
            /** @description `YYYY-MM` */
            month: string;
            /** Format: int64 */
            quantity: number;
            /** Format: int64 */
            records: number;
            state: string;
            /**
             * Format: int64
             * @description Minor units, without tax.
             */
            value: number;
        };
        /** @description A way into a part of the admin area. */
        NavItem: {
            href: string;
            /** @description Of `app/admin/icons.tsx`. */
            icon: string;
            /** @description Key that leads there after `g`. */
            key: string;
            label: string;
        };
        NewAddress: {
            /** @default  */
            city: string;
            /** @default  */
            company: string;
            /** @default  */
            first_name: string;
            /** @default false */
            is_default: boolean;
            /** @default  */
            last_name: string;
            /** @default  */
            line1: string;
            /** @default  */
            line2: string;
            /** @default  */
            phone: string;
            /** @default  */
            postal_code: string;
            /**
             * @description Two-letter code.
             * @default
             */
            state: string;
        };
        /** @description Somebody signed in on a device that the account had not seen. */
        NewSignInMail: {
            /** @description Such as `Firefox on Windows`. */
            device: string;
            name: string;
            /** @description As people read it, such as `November 21, 2026, 12:00 EST`. */
            signed_in_at: string;
        };
        NewView: {
            is_shared: boolean;
            /** @description The list's path, such as `/admin/orders`. */
            list: string;
            name: string;
            /** @description Of the list's address, without the question mark. */
            query: string;
        };
        /**
         * @description How much a notice matters.
         * @enum {string}
         */
        NoticeSeverity: "success" | "info" | "warn" | "error";
        /** @description A toast. */
        NoticeView: {
            /** @description `success`, `info`, `warn` or `error`. */
            severity: components["schemas"]["NoticeSeverity"];
            summary: string;
        };
        OptionValue: {
            /** @description `#rrggbb` where the value is a colour. */
            hex: string | null;
            value: string;
        };
        OrderAttention: {
            number: string;
            why: string;
        };
        OrderLineView: {
            /** Format: int64 */
            discount: number;
            href: string;
            picture: components["schemas"]["Picture"];
            /** Format: int64 */
            quantity: number;
            sku: string;
            title: string;
            /** Format: int64 */
            unit_price: number;
            variant: string;
            /**
             * Format: uuid
             * @description The variant, while the shop has it.
             */
            variant_id: string | null;
        };
        /** @description An order has been placed. */
        OrderMail: {
            /** @description Lines of the delivery address, the name first; empty when it is picked up. */
            address: string[];
            /** @description Somebody of 21 or older has to sign for the parcel. */
            adult_signature: boolean;
            lines: components["schemas"]["MailLine"][];
            number: string;
            /** @description Path of the confirmation page, token included. */
            order_path: string;
            /** @description Such as `Visa ending in 1111` or `In the store`. */
            payment: string;
            /** @description `YYYY-MM-DD` in the shop's time zone. */
            placed_on: string;
            /** @description How it travels, such as `UPS Ground` or `Pick up in the store`. */
            shipping_method: string;
            totals: components["schemas"]["MailTotals"];
        };
        /** @enum {string} */
        OrderStatus: "draft" | "placed" | "canceled" | "archived";
        /** @description Amounts are minor units, times UTC milliseconds. */
        OrderView: {
            address: components["schemas"]["Address"] | null;
            adult_signature: boolean;
            /** Format: int64 */
            discount: number;
            email: string;
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            href: string;
            lines: components["schemas"]["OrderLineView"][];
            number: string;
            /** @description Such as `Visa ending in 1111`, or how it is to be paid. */
            paid_with: string | null;
            payment_status: components["schemas"]["PaymentStatus"];
            picked_up: boolean;
            /** Format: int64 */
            placed_at: number | null;
            promo_code: string | null;
            /** Format: int64 */
            refunded: number;
            /** Format: int64 */
            shipping: number;
            shipping_name: string;
            status: components["schemas"]["OrderStatus"];
            /** Format: int64 */
            subtotal: number;
            /** Format: int64 */
            tax: number;
            tax_name: string | null;
            /** @description What the tax is made of: sales tax and excises. */
            taxes: components["schemas"]["TaxAmount"][];
            timeline: components["schemas"]["TimelineEntry"][];
            /** Format: int64 */
            total: number;
        };
        PageLink: {
            current: boolean;
            href: string;
            label: string;
        };
        /** @enum {string} */
        PaymentStatus: "not_paid" | "authorized" | "partially_paid" | "paid" | "partially_refunded" | "refunded" | "voided" | "requires_action" | "failed";
        PayRequest: {
            /** @description For a pickup the names suffice. */
            address?: components["schemas"]["Address"];
            /**
             * Format: uuid
             * @description The browser's name for this checkout: however often it is sent, it is one order.
             */
            checkout_id: string;
            /**
             * Format: uuid
             * @description The browser's name for this click on Pay: however often it is sent, it is one payment.
             */
            click_id: string;
            email?: string;
            /**
             * Format: int64
             * @description The total that the shopper has seen, in minor units.
             */
            expected_total: number;
            items: components["schemas"]["CartItem"][];
            payment_method: components["schemas"]["ProviderName"];
            phone?: string;
            promo_code?: string | null;
            shipping_method?: string;
            /** @description What the card form gave. */
            source_id?: string;
        };
        /**
         * @description What somebody may do in the admin area.
         * @enum {string}
         */
        Permission: "see_shop" | "fulfil_orders" | "manage_orders" | "refund" | "edit_catalog" | "manage_users" | "change_roles" | "edit_settings" | "see_audit" | "operate";
        /** @enum {string} */
        Phase: "past" | "in_force" | "coming";
        /** @description A picture; its renditions are at `{src}-{width}.avif` and `.webp`. */
        Picture: {
            alt: string;
            /** Format: int32 */
            height: number;
            src: string;
            /**
             * Format: int32
             * @description Pixels of the master.
             */
            width: number;
        };
        Preferences: {
            /**
             * @description News of the shop by mail. Mail about orders comes anyway.
             * @default false
             */
            marketing_emails: boolean;
            /**
             * @description Two-letter code of the state to ship to.
             * @default null
             */
            preferred_state: string | null;
        };
        /** @description What to change of the preferences; what is left out stays. */
        PreferencesChange: {
            marketing_emails?: boolean | null;
            /** @description Two-letter code; empty to remove it. */
            preferred_state?: string | null;
        };
        /** @description A picture to fetch before the browser has seen its element. */
        Preload: {
            /** @description The `sizes` that the element will have. */
            sizes: string;
            src: string;
        };
        /** @description Minor units. */
        PriceRange: {
            /** Format: int64 */
            max: number;
            /** Format: int64 */
            min: number;
            /** Format: int64 */
            selected_max: number | null;
            /** Format: int64 */
            selected_min: number | null;
        };
        /** @description Problem details (RFC 9457) with a stable code and messages by field. */
        Problem: {
            /** @description A stable word for programs, such as `invalid`. */
            code: string;
            detail: string;
            errors: {
                [key: string]: string[];
            } & Record<string, never>;
            /** Format: int32 */
            status: number;
            title: string;
            type: string;
        };
        /** @description A product as lists show it. */
        ProductCard: {
            availability: components["schemas"]["Availability"];
            badge: components["schemas"]["Badge"] | null;
            category: string;
            colours: components["schemas"]["Colour"][];
            compare_at_price: components["schemas"]["Money"] | null;
            href: string;
            /** Format: uuid */
            id: string;
            picture: components["schemas"]["Picture"];
            /** @description The lowest of its variants' prices. */
            price: components["schemas"]["Money"];
            price_varies: boolean;
            title: string;
        };
        /** @description One way in which the variants differ, such as the colour. */
        ProductOption: {
            name: string;
            values: components["schemas"]["OptionValue"][];
        };
        /** @description Props of a product's page. */
        ProductPage: {
            breadcrumbs: components["schemas"]["Link"][];
            /** @description Paragraphs. */
            description: string[];
            details: components["schemas"]["Detail"][];
            highlights: string[];
            /** Format: uuid */
            id: string;
            options: components["schemas"]["ProductOption"][];
            pictures: components["schemas"]["Picture"][];
            related: components["schemas"]["ProductCard"][];
            /** @description What the law asks of a buyer of this product. */
            restriction: string;
            /** @description The sku that the address names, or the first that can be bought. */
            selected: string;
            subtitle: string;
            title: string;
            variants: components["schemas"]["ProductVariant"][];
        };
        ProductVariant: {
            availability: components["schemas"]["Availability"];
            compare_at_price: components["schemas"]["Money"] | null;
            href: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description What is left, told only when it is little.
             */
            left: number | null;
            /**
             * Format: int64
             * @description How many a cart may hold.
             */
            max_quantity: number;
            /** @description One value per option, in the options' order. */
            options: string[];
            /** @description Index into the pictures. */
            picture: number;
            price: components["schemas"]["Money"];
            sku: string;
            title: string;
        };
        /** @description What to change of the profile; what is left out stays. */
        ProfileChange: {
            name?: string | null;
            /** @description A US number; empty to remove it. */
            phone?: string | null;
        };
        PromoEntry: {
            active: boolean;
            code: string;
            ends_on: string | null;
            /** Format: uuid */
            id: string;
            /** @description `percent`, `amount` or `free_shipping`. */
            kind: string;
            /** @description In the shop's time zone. */
            made_at: string;
            /** Format: int64 */
            max_uses: number | null;
            /** Format: int64 */
            min_subtotal: number;
            once_per_customer: boolean;
            /** @description First and last day in the shop's time zone. */
            starts_on: string | null;
            /** @description `active`, `off`, `early`, `expired` or `used_up`. */
            state: string;
            /** Format: int64 */
            used: number;
            /**
             * Format: int64
             * @description Hundredths of a percent, or minor units.
             */
            value: number;
            /** Format: int64 */
            version: number;
        };
        /** @description A code as staff write it. */
        PromoInput: {
            active: boolean;
            /** @description Only of a new code: one that is out there keeps its name. */
            code?: string;
            ends_on?: string | null;
            kind: components["schemas"]["PromoKind"];
            /** Format: int64 */
            max_uses?: number | null;
            /**
             * Format: int64
             * @description Minor units.
             */
            min_subtotal?: number;
            once_per_customer?: boolean;
            /** @description First and last day in the shop's time zone, `YYYY-MM-DD`. */
            starts_on?: string | null;
            /**
             * Format: int64
             * @description Hundredths of a percent, or minor units; nothing for free shipping.
             */
            value?: number;
            /**
             * Format: int64
             * @description That the caller saw; none for a new code.
             */
            version?: number | null;
        };
        /**
         * @description What a code takes off.
         * @enum {string}
         */
        PromoKind: "percent" | "amount" | "free_shipping";
        PromotionsPage: {
            codes: components["schemas"]["PromoEntry"][];
            list: components["schemas"]["ListView"];
        };
        PromoView: {
            code: string;
            /** @description Such as `10 % off`. */
            label: string;
        };
        /**
         * @description Who takes the money.
         * @enum {string}
         */
        ProviderName: "square" | "pickup";
        /** @description When the draft shall hold. */
        Publication: {
            /** @description Today or later, `YYYY-MM-DD`. */
            effective_from: string;
            /**
             * Format: int64
             * @description Of the draft that the caller saw.
             */
            version: number;
        };
        /** @description What it costs. Amounts are minor units; those that depend on the destination are null until it is known. */
        Quote: {
            /** @description An adult must sign for the parcel. */
            adult_signature: boolean;
            /** @description What is no longer as the shopper saw it. */
            changes: components["schemas"]["CartChange"][];
            /**
             * Format: int64
             * @description Off the goods and off shipping.
             */
            discount: number;
            lines: components["schemas"]["CartLine"][];
            payment_methods: components["schemas"]["ProviderName"][];
            /** @description What must be changed before it can be paid. */
            problems: components["schemas"]["QuoteProblem"][];
            promo: components["schemas"]["PromoView"] | null;
            /** Format: int64 */
            shipping: number | null;
            shipping_options: components["schemas"]["ShippingOption"][];
            /** Format: int64 */
            subtotal: number;
            /** Format: int64 */
            tax: number | null;
            tax_name: string | null;
            /** @description What the tax is made of: sales tax and excises. */
            taxes: components["schemas"]["TaxAmount"][];
            /** Format: int64 */
            total: number | null;
        };
        /** @description What keeps an order from being placed. */
        QuoteProblem: {
            /** @description `empty`, `sold_out`, `unavailable`, `restricted`, `promo_code`, `shipping_method` or `payment_method`. */
            code: string;
            /**
             * Format: uuid
             * @description The variant that it concerns.
             */
            id: string | null;
            message: string;
        };
        /** @description What is asked about. */
        QuoteRequest: {
            /**
             * Format: uuid
             * @description The checkout for which stock may be held already.
             */
            checkout_id?: string | null;
            /** @description The buyer's mail address, once it is known: some codes are good once per customer. */
            email?: string | null;
            items: components["schemas"]["CartItem"][];
            postal_code?: string | null;
            promo_code?: string | null;
            /** @description A code of the shipping options. */
            shipping_method?: string | null;
            /** @description Two capital letters. */
            state?: string | null;
        };
        /** @description A rate as staff write it. */
        RateInput: {
            county?: string;
            /**
             * Format: int64
             * @description Parts per million: 80,000 is 8 %.
             */
            rate: number;
            source: string;
            state: string;
            taxes_shipping: boolean;
            /** @description `YYYY-MM-DD` */
            valid_from: string;
            valid_until?: string | null;
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        /** @description Money has been given back. */
        RefundedMail: {
            amount: components["schemas"]["Money"];
            /** @description What the money is for; empty when it is for no line. */
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            /** @description Where it goes, such as `Visa ending in 1111`. */
            payment: string;
            /** @description In words, may be empty. */
            reason: string;
        };
        ReportsPage: {
            classes: components["schemas"]["ComplianceClassView"][];
            months: components["schemas"]["MonthView"][];
            /**
             * Format: int64
             * @description Of the compliance settings.
             */
            version: number;
            /** Format: int32 */
            year: number;
            /** @description Years with records, the newest first. */
            years: components["schemas"]["Link"][];
        };
        Restoration: {
            /** Format: int64 */
            number: number;
            /**
             * Format: int64
             * @description Of the draft that the caller saw, 0 when there was none.
             */
            version: number;
        };
        /**
         * @description What somebody may do. The order is the priority: the first that a user has is the effective one.
         * @enum {string}
         */
        Role: "super_admin" | "admin" | "staff" | "customer";
        /** @description A rule as staff write it. */
        RuleInput: {
            adult_signature: boolean;
            class: string;
            excise?: components["schemas"]["Excise"];
            ground_only: boolean;
            may_pay_online: boolean;
            may_pick_up: boolean;
            may_ship: boolean;
            reason?: string;
            source: string;
            /** @description Two capital letters, or `*` for every state without a rule of its own. */
            state: string;
            /** @description `YYYY-MM-DD` */
            valid_from: string;
            valid_until?: string | null;
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        RuleView: {
            adult_signature: boolean;
            class: string;
            excise: components["schemas"]["Excise"];
            ground_only: boolean;
            /** Format: uuid */
            id: string;
            may_pay_online: boolean;
            may_pick_up: boolean;
            may_ship: boolean;
            phase: components["schemas"]["Phase"];
            reason: string;
            source: string;
            /** @description `*` is every state without a rule of its own. */
            state: string;
            valid_from: string;
            valid_until: string | null;
        };
        SavedView: {
            /** @description The list's address. */
            href: string;
            /** Format: uuid */
            id: string;
            /** @description Who asks has made it and may delete it. */
            is_own: boolean;
            is_shared: boolean;
            name: string;
        };
        /** @description One of a user's sessions, as the account lists it. */
        SessionView: {
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            created_at: number;
            /** @description Such as `Firefox on Windows`. */
            device: string;
            /** Format: uuid */
            id: string;
            /** @description The one that asks. */
            is_current: boolean;
            /** @description The address without its last part. */
            network: string;
            /**
             * Format: int64
             * @description UTC milliseconds.
             */
            seen_at: number;
        };
        /** @description What the layout needs, whatever the page. */
        Shared: {
            age_verified: boolean;
            api_base: string | null;
            beacon: components["schemas"]["Beacon"] | null;
            /** @description The build that made this page. */
            build: string;
            company: components["schemas"]["CompanyView"];
            currency: string;
            demo: boolean;
            /** @description True under `make dev`: the page listens for reloads. */
            dev: boolean;
            /** @description Today in the shop's time zone, `YYYY-MM-DD`. */
            max_birth_date: string;
            menu: components["schemas"]["MenuItem"][];
            notice: components["schemas"]["NoticeView"] | null;
            /** @description Without a trailing slash. */
            origin: string;
            /** @description Whether there is a place to sign in at. */
            sign_in: boolean;
            staff: components["schemas"]["StaffView"] | null;
            user: components["schemas"]["UserView"] | null;
        };
        /** @description How a parcel travels. */
        Shipment: {
            /** @description Confirms that the carrier was told to have an adult sign; needed where the order calls for it. */
            adult_signature?: boolean;
            /** @description Such as `UPS Ground`. */
            carrier: string;
            tracking_number: string;
            /** @description The carrier's page, https. */
            tracking_url?: string | null;
        };
        /** @description A parcel has left. */
        ShippedMail: {
            address: string[];
            adult_signature: boolean;
            carrier: string;
            /** @description What is in this parcel. */
            lines: components["schemas"]["MailLine"][];
            number: string;
            order_path: string;
            tracking_number: string;
            /** @description The carrier's page, absolute; only `https` addresses become links. */
            tracking_url: string | null;
        };
        ShippingChange: {
            table: components["schemas"]["ShippingTable"];
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        /** @description A way to get an order, with its price for one parcel. */
        ShippingOption: {
            code: string;
            /** @description Such as `2 to 7 business days`. */
            estimate: string;
            name: string;
            pickup: boolean;
            /**
             * Format: int64
             * @description Minor units, the fee for an adult's signature included.
             */
            price: number;
        };
        ShippingSettingsPage: {
            table: components["schemas"]["ShippingTable"];
            /** Format: int64 */
            version: number;
        };
        /** @description All ways to get an order with their prices, as staff change them: as a whole. */
        ShippingTable: {
            methods: components["schemas"]["Method"][];
            zones: components["schemas"]["Zone"][];
        };
        /** @enum {string} */
        Sorted: "ascending" | "descending";
        SortOption: {
            href: string;
            label: string;
            selected: boolean;
            value: string;
        };
        /** @description What Square's script needs to draw the card form. */
        SquareView: {
            application_id: string;
            location_id: string;
            script: string;
        };
        StaffView: {
            may: components["schemas"]["Permission"][];
            navigation: components["schemas"]["NavItem"][];
        };
        StateView: {
            code: string;
            name: string;
        };
        SuggestedProduct: {
            href: string;
            picture: components["schemas"]["Picture"];
            price: components["schemas"]["Money"];
            title: string;
        };
        Suggestions: {
            categories: components["schemas"]["Link"][];
            products: components["schemas"]["SuggestedProduct"][];
            terms: string[];
        };
        /** @description A tax of one name, as a buyer reads it. */
        TaxAmount: {
            /**
             * Format: int64
             * @description Minor units.
             */
            amount: number;
            name: string;
        };
        TaxRateView: {
            /** @description Empty for the whole state. */
            county: string;
            /** Format: uuid */
            id: string;
            phase: components["schemas"]["Phase"];
            /**
             * Format: int64
             * @description Parts per million.
             */
            rate: number;
            source: string;
            state: string;
            taxes_shipping: boolean;
            valid_from: string;
            valid_until: string | null;
        };
        TaxSettingsPage: {
            /** @description States with known counties. */
            counties: components["schemas"]["CountyCount"][];
            home_county: string;
            /** @description Where the shop's own sales are taxed, whatever their destination in the state. */
            home_state: string;
            /** @description By place, the newest first. */
            rates: components["schemas"]["TaxRateView"][];
            /** @description In the shop's time zone, `YYYY-MM-DD`. */
            today: string;
            /** Format: int64 */
            version: number;
        };
        TestEmailPage: {
            /** @description False when the settings are missing. */
            enabled: boolean;
            /** @description The chosen kind. */
            kind: string;
            kinds: components["schemas"]["MailKind"][];
            outcome: components["schemas"]["MailOutcome"] | null;
            to: string;
        };
        /** @description Proves to staff that mail arrives. */
        TestMail: {
            sent_at: string;
        };
        /** @description A text as staff write it. */
        TextInput: {
            /** @description Markdown; `{{company}}`, `{{email}}`, `{{phone}}`, `{{address}}` and `{{site}}` stand for this shop's. */
            body: string;
            title: string;
            /**
             * Format: int64
             * @description Of the draft that the caller saw, 0 when there was none.
             */
            version: number;
        };
        /** @description A text as its page shows it. */
        TextPreview: {
            html: string;
            toc: components["schemas"]["TocEntry"][];
        };
        /** @description Something that happened, in the words of the shop. */
        TimelineEntry: {
            /** Format: int64 */
            at: number;
            text: string;
        };
        TocEntry: {
            id: string;
            label: string;
        };
        /** @description What the layout shows of a signed-in visitor. */
        UserView: {
            email: string;
            /** @description One or two capital letters. */
            initials: string;
            name: string;
            role: components["schemas"]["Role"] | null;
            sub: string;
        };
        VerifyAge: {
            /** @description `YYYY-MM-DD`. Compared and dropped. */
            birth_date?: string;
            /** @description Two-letter code of a US state. */
            preferred_state?: string | null;
            /** @description The signed-in visitor, if any. */
            user_id?: string | null;
        };
        WelcomeMail: {
            /** @description May be empty. */
            name: string;
        };
        WithdrawInput: {
            /**
             * Format: int64
             * @description That the caller saw.
             */
            version: number;
        };
        /** @description What the isolate gives back. */
        WrittenLetter: {
            html: string;
            subject: string;
            text: string;
        };
        Zone: {
            name: string;
            /** @description Codes of states; each state is in one zone. */
            states: string[];
        };
        /** @description Prices of a method in a zone, one for each weight class; a zone without an entry is not served by the method. */
        ZoneRates: {
            /** @description Minor units. */
            prices: number[];
            zone: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountDeletedMail = components['schemas']['AccountDeletedMail'];
export type AccountPage = components['schemas']['AccountPage'];
export type ActivityEvent = components['schemas']['ActivityEvent'];
export type ActivityReport = components['schemas']['ActivityReport'];
export type ActivityTaken = components['schemas']['ActivityTaken'];
export type ActivityType = components['schemas']['ActivityType'];
export type Address = components['schemas']['Address'];
export type AddressView = components['schemas']['AddressView'];
export type AgeProof = components['schemas']['AgeProof'];
export type AgeRefusedPage = components['schemas']['AgeRefusedPage'];
export type AgeVerified = components['schemas']['AgeVerified'];
export type Attention = components['schemas']['Attention'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type Availability = components['schemas']['Availability'];
export type Badge = components['schemas']['Badge'];
export type Beacon = components['schemas']['Beacon'];
export type BuildMeta = components['schemas']['BuildMeta'];
export type CanceledMail = components['schemas']['CanceledMail'];
export type CancelReason = components['schemas']['CancelReason'];
export type Cart = components['schemas']['Cart'];
export type CartChange = components['schemas']['CartChange'];
export type CartItem = components['schemas']['CartItem'];
export type CartLine = components['schemas']['CartLine'];
export type CartPage = components['schemas']['CartPage'];
export type CartSync = components['schemas']['CartSync'];
export type CategoryCard = components['schemas']['CategoryCard'];
export type ChainView = components['schemas']['ChainView'];
export type ChangeKind = components['schemas']['ChangeKind'];
export type CheckoutPage = components['schemas']['CheckoutPage'];
export type CheckoutStatus = components['schemas']['CheckoutStatus'];
export type ClassReporting = components['schemas']['ClassReporting'];
export type ClientError = components['schemas']['ClientError'];
export type Colour = components['schemas']['Colour'];
export type ColumnView = components['schemas']['ColumnView'];
export type CompanyChange = components['schemas']['CompanyChange'];
export type CompanyOverrides = components['schemas']['CompanyOverrides'];
export type CompanySettingsPage = components['schemas']['CompanySettingsPage'];
export type CompanyTexts = components['schemas']['CompanyTexts'];
export type CompanyView = components['schemas']['CompanyView'];
export type ComplianceClassView = components['schemas']['ComplianceClassView'];
export type ComplianceSettingsPage = components['schemas']['ComplianceSettingsPage'];
export type ConfirmationPage = components['schemas']['ConfirmationPage'];
export type CountiesInput = components['schemas']['CountiesInput'];
export type CountiesReport = components['schemas']['CountiesReport'];
export type CountyCount = components['schemas']['CountyCount'];
export type DeadJob = components['schemas']['DeadJob'];
export type DeleteAccount = components['schemas']['DeleteAccount'];
export type Detail = components['schemas']['Detail'];
export type DraftVersion = components['schemas']['DraftVersion'];
export type EditionView = components['schemas']['EditionView'];
export type EndInput = components['schemas']['EndInput'];
export type Envelope = components['schemas']['Envelope'];
export type ErrorPage = components['schemas']['ErrorPage'];
export type Excise = components['schemas']['Excise'];
export type Facet = components['schemas']['Facet'];
export type FacetOption = components['schemas']['FacetOption'];
export type FeaturedCollection = components['schemas']['FeaturedCollection'];
export type FilterOption = components['schemas']['FilterOption'];
export type FilterView = components['schemas']['FilterView'];
export type Found = components['schemas']['Found'];
export type FoundItem = components['schemas']['FoundItem'];
export type FulfillmentStatus = components['schemas']['FulfillmentStatus'];
export type Hero = components['schemas']['Hero'];
export type HomePage = components['schemas']['HomePage'];
export type LatestBuild = components['schemas']['LatestBuild'];
export type LegalPage = components['schemas']['LegalPage'];
export type LegalSettingsPage = components['schemas']['LegalSettingsPage'];
export type Letter = components['schemas']['Letter'];
export type LetterPreview = components['schemas']['LetterPreview'];
export type LineProblem = components['schemas']['LineProblem'];
export type Link = components['schemas']['Link'];
export type ListPage = components['schemas']['ListPage'];
export type ListState = components['schemas']['ListState'];
export type ListView = components['schemas']['ListView'];
export type Mail = components['schemas']['Mail'];
export type MailAmount = components['schemas']['MailAmount'];
export type MailChange = components['schemas']['MailChange'];
export type MailKind = components['schemas']['MailKind'];
export type MailKindView = components['schemas']['MailKindView'];
export type MailLine = components['schemas']['MailLine'];
export type MailOutcome = components['schemas']['MailOutcome'];
export type MailSettingsPage = components['schemas']['MailSettingsPage'];
export type MailTotals = components['schemas']['MailTotals'];
export type MailWords = components['schemas']['MailWords'];
export type Me = components['schemas']['Me'];
export type MenuItem = components['schemas']['MenuItem'];
export type Meta = components['schemas']['Meta'];
export type Method = components['schemas']['Method'];
export type Money = components['schemas']['Money'];
export type MonthView = components['schemas']['MonthView'];
export type NavItem = components['schemas']['NavItem'];
export type NewAddress = components['schemas']['NewAddress'];
export type NewSignInMail = components['schemas']['NewSignInMail'];
export type NewView = components['schemas']['NewView'];
export type NoticeSeverity = components['schemas']['NoticeSeverity'];
export type NoticeView = components['schemas']['NoticeView'];
export type OptionValue = components['schemas']['OptionValue'];
export type OrderAttention = components['schemas']['OrderAttention'];
export type OrderLineView = components['schemas']['OrderLineView'];
export type OrderMail = components['schemas']['OrderMail'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderView = components['schemas']['OrderView'];
export type PageLink = components['schemas']['PageLink'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PayRequest = components['schemas']['PayRequest'];
export type Permission = components['schemas']['Permission'];
export type Phase = components['schemas']['Phase'];
export type Picture = components['schemas']['Picture'];
export type Preferences = components['schemas']['Preferences'];
export type PreferencesChange = components['schemas']['PreferencesChange'];
export type Preload = components['schemas']['Preload'];
export type PriceRange = components['schemas']['PriceRange'];
export type Problem = components['schemas']['Problem'];
export type ProductCard = components['schemas']['ProductCard'];
export type ProductOption = components['schemas']['ProductOption'];
export type ProductPage = components['schemas']['ProductPage'];
export type ProductVariant = components['schemas']['ProductVariant'];
export type ProfileChange = components['schemas']['ProfileChange'];
export type PromoEntry = components['schemas']['PromoEntry'];
export type PromoInput = components['schemas']['PromoInput'];
export type PromoKind = components['schemas']['PromoKind'];
export type PromotionsPage = components['schemas']['PromotionsPage'];
export type PromoView = components['schemas']['PromoView'];
export type ProviderName = components['schemas']['ProviderName'];
export type Publication = components['schemas']['Publication'];
export type Quote = components['schemas']['Quote'];
export type QuoteProblem = components['schemas']['QuoteProblem'];
export type QuoteRequest = components['schemas']['QuoteRequest'];
export type RateInput = components['schemas']['RateInput'];
export type RefundedMail = components['schemas']['RefundedMail'];
export type ReportsPage = components['schemas']['ReportsPage'];
export type Restoration = components['schemas']['Restoration'];
export type Role = components['schemas']['Role'];
export type RuleInput = components['schemas']['RuleInput'];
export type RuleView = components['schemas']['RuleView'];
export type SavedView = components['schemas']['SavedView'];
export type SessionView = components['schemas']['SessionView'];
export type Shared = components['schemas']['Shared'];
export type Shipment = components['schemas']['Shipment'];
export type ShippedMail = components['schemas']['ShippedMail'];
export type ShippingChange = components['schemas']['ShippingChange'];
export type ShippingOption = components['schemas']['ShippingOption'];
export type ShippingSettingsPage = components['schemas']['ShippingSettingsPage'];
export type ShippingTable = components['schemas']['ShippingTable'];
export type Sorted = components['schemas']['Sorted'];
export type SortOption = components['schemas']['SortOption'];
export type SquareView = components['schemas']['SquareView'];
export type StaffView = components['schemas']['StaffView'];
export type StateView = components['schemas']['StateView'];
export type SuggestedProduct = components['schemas']['SuggestedProduct'];
export type Suggestions = components['schemas']['Suggestions'];
export type TaxAmount = components['schemas']['TaxAmount'];
export type TaxRateView = components['schemas']['TaxRateView'];
export type TaxSettingsPage = components['schemas']['TaxSettingsPage'];
export type TestEmailPage = components['schemas']['TestEmailPage'];
export type TestMail = components['schemas']['TestMail'];
export type TextInput = components['schemas']['TextInput'];
export type TextPreview = components['schemas']['TextPreview'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TocEntry = components['schemas']['TocEntry'];
export type UserView = components['schemas']['UserView'];
export type VerifyAge = components['schemas']['VerifyAge'];
export type WelcomeMail = components['schemas']['WelcomeMail'];
export type WithdrawInput = components['schemas']['WithdrawInput'];
export type WrittenLetter = components['schemas']['WrittenLetter'];
export type Zone = components['schemas']['Zone'];
export type ZoneRates = components['schemas']['ZoneRates'];
export type $defs = Record<string, never>;
export interface operations {
    get_api_admin_attention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Orders that need a hand, and dead jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attention"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not staff */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_admin_audit_csv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries of the list's query as CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_admin_audit_chain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the chain stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainView"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_orders_number_shipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Shipment"];
            };
        };
        responses: {
            /** @description Recorded; the buyer is written to */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not staff */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such order */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not paid, canceled, to be picked up, or shipped before */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_admin_reports_deliveries_csv: {
        parameters: {
            query: {
                /** @description `YYYY-MM` */
                month: string;
                /** @description Two capital letters; all states when it is left out */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was delivered, by state, consignee, city and ZIP code */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such month or state */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_admin_search: {
        parameters: {
            query: {
                /** @description Beginnings of words */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first few of each kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Found"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not staff */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_api_admin_settings_company: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyChange"];
            };
        };
        responses: {
            /** @description Every page says it from now on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_api_admin_settings_compliance_classes_class: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                class: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassReporting"];
            };
        };
        responses: {
            /** @description Deliveries of it are written down from now on, or no longer */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such class */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_compliance_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleInput"];
            };
        };
        responses: {
            /** @description Added; what held on its first day ends there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_compliance_rules_id_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndInput"];
            };
        };
        responses: {
            /** @description Ended: unless another rule holds, nothing of the class is sold there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rule */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not hold on the day before */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_compliance_rules_id_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawInput"];
            };
        };
        responses: {
            /** @description Taken back; the rule before it holds on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rule */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It has begun, or somebody else has changed it meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_legal_document_discard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftVersion"];
            };
        };
        responses: {
            /** @description The draft is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_api_admin_settings_legal_document_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextInput"];
            };
        };
        responses: {
            /** @description Kept; shoppers do not see it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_legal_document_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextInput"];
            };
        };
        responses: {
            /** @description What shoppers would read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextPreview"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_legal_document_publish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Publication"];
            };
        };
        responses: {
            /** @description Shoppers read it from its day on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such draft any more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The day has passed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_legal_document_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Restoration"];
            };
        };
        responses: {
            /** @description The edition is the draft now */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such edition */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_api_admin_settings_mail_kind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailChange"];
            };
        };
        responses: {
            /** @description Letters say it from now on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such kind of letter */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_mail_kind_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailWords"];
            };
        };
        responses: {
            /** @description The letter with made-up contents and these words */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterPreview"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such kind of letter */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_promotions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoInput"];
            };
        };
        responses: {
            /** @description Made: shoppers can use it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_api_admin_settings_promotions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoInput"];
            };
        };
        responses: {
            /** @description Changed from now on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such code */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_api_admin_settings_shipping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShippingChange"];
            };
        };
        responses: {
            /** @description Every price is the new one from now on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The table has gaps; fields are named by their place in `table` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_tax_counties: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountiesInput"];
            };
        };
        responses: {
            /** @description What the file changes, or would change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountiesReport"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The file is too large: send one state at a time */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_tax_rates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateInput"];
            };
        };
        responses: {
            /** @description Added; what held on its first day ends there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_tax_rates_id_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndInput"];
            };
        };
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rate */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed by somebody else meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not hold on the day before */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_settings_tax_rates_id_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawInput"];
            };
        };
        responses: {
            /** @description Taken back; the rate before it holds on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not an admin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No such rate */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It has begun, or somebody else has changed it meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_admin_views: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description Saved; a view of that name has the new query */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not staff */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There are too many */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_api_admin_views_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not staff */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No view of yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_cart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cart with this moment's prices and stock */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_cart_sync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartSync"];
            };
        };
        responses: {
            /** @description The merged cart, and what changed since the shopper saw it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many lines, or a quantity that is none */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_checkout_checkout_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The browser's name for the checkout */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is placed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description The payment's outcome is not known yet */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description The last card was refused */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing was paid in this checkout */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The checkout is over without an order */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_checkout_pay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayRequest"];
            };
        };
        responses: {
            /** @description The order is placed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description The payment's outcome is not known yet: ask for the checkout's status */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutStatus"];
                };
            };
            /** @description The card was refused; another one may do */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The age has not been verified */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Prices, stock or rules have changed, or the checkout is over */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Some fields cannot be accepted */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many refused cards */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_checkout_quote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description What it costs, what has changed and what stands in the way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /** @description Too many lines, or a quantity that is none */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_client_errors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientError"];
            };
        };
        responses: {
            /** @description Logged */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_api_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteAccount"];
            };
        };
        responses: {
            /** @description The account is deleted and its sessions are over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not confirmed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_api_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Messages by field */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_me_activity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActivityReport"];
            };
        };
        responses: {
            /** @description Taken, not yet stored */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityTaken"];
                };
            };
            /** @description Not JSON, or sent by another site */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Neither JSON nor plain text */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Fields are malformed; nothing is kept of the report */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many events from this network */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_api_me_addresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAddress"];
            };
        };
        responses: {
            /** @description Added */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressView"];
                };
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Messages by field */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_api_me_addresses_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No address of this user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_me_export: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that the shop keeps of the user, as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_api_me_preferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreferencesChange"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Messages by field */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_me_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the user is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"][];
                };
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_api_me_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All sessions but the one that asks are over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_api_me_sessions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Over */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody is signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No session of this user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_api_search_suggest: {
        parameters: {
            query: {
                /** @description What has been typed so far */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Products, categories and words that begin so */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
        };
    };
    post_api_verify_age: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyAge"];
            };
        };
        responses: {
            /** @description Old enough; a signed cookie says so for 24 hours, and a proof is stored for a signed-in visitor */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgeVerified"];
                };
            };
            /** @description Not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description No date, too young, an unknown state, or a user who is not signed in here */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
